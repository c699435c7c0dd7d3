/**
 * Functions on the key of one session: a hash of the record's text, what is compared without reading it, and the number
 * of each principal that has a name for it (`n:<principal>`): these fields alone decide whether a name is valid. Beside each
 * is the revision up to which rows were delivered to that principal (`t:<principal>`).
 */
export const SESSION_FUNCTIONS = `
local function head(key, now, principal)
  local held = redis.call('HMGET', key, 'cid', 'body', 'row', 'exp', 'run', 'rev', 'n:' .. principal, 't:' .. principal)
  if not held[1] or tonumber(held[4]) <= now then return nil end
  return {
    cid = held[1], body = held[2], row = held[3], exp = held[4], run = held[5], rev = held[6], ordinal = held[7],
    delivered = held[8] or '0',
  }
end
local function shown(now, held)
  if not held then return { digits(now) } end
  local lost = held.run ~= present() and '1' or ''
  return { digits(now), held.body, held.row, held.exp, held.ordinal, lost, held.delivered }
end

-- A reader who knows what the last commit wrote gets the rest in one text: nearly all do, and the body is nearly all there is.
register_read('find', function(keys, args)
  local key, now, principal = keys[1], clock(args[1]), args[2]
  local held = redis.call('HMGET', key, 'cid', 'row', 'exp', 'run', 'n:' .. principal, 't:' .. principal)
  if held[1] ~= args[3] or tonumber(held[3]) <= now then return shown(now, head(key, now, principal)) end
  local lost = held[4] ~= present() and '1' or ''
  return table.concat({ digits(now), held[2], held[3], held[5] or '', lost, held[6] or '0' }, ' ')
end)

register_read('holds_name', function(keys, args)
  local held = head(keys[1], clock(args[1]), args[2])
  return (held and held.ordinal == args[3]) and 1 or 0
end)

local function conflict(now, held)
  local reply = shown(now, held)
  table.insert(reply, 1, 'conflict')
  return reply
end

register('commit', function(keys, args)
  local key, now, principal = keys[1], clock(args[1]), args[2]
  local expected, cid, rev, gen, row, exp = args[3], args[4], args[5], args[6], args[7], args[8]
  local body, pins, skips, given = args[9], args[10], args[11], args[12]
  local held = head(key, now, principal)
  local applied = held and held.cid == cid
  local run = present()
  if not applied then
    if (held and '=' .. held.cid or '') ~= expected then return conflict(now, held) end
    if held and held.run ~= run then
      -- New symbols, but none left out: they could be numbers that were given to others and then forgotten.
      if tonumber(rev) > tonumber(held.rev) then
        if skips == '' then return conflict(now, held) end
      else
        run = held.run
      end
    end
  end
  local ordinal = held and held.ordinal or given
  if ordinal == '' then return { 'unnamed' } end
  if not applied then
    if not held then redis.call('DEL', key) end
    redis.call('HSET', key, 'cid', cid, 'rev', rev, 'gen', gen, 'row', row, 'exp', exp, 'body', body, 'pins', pins, 'run', run)
    live_for(key, tonumber(exp) - now)
  end
  if not (held and held.ordinal) then
    redis.call('HSET', key, 'n:' .. principal, ordinal)
    redis.call('HINCRBY', key, 'names', 1)
  end
  local replicas = string.match(redis.call('INFO', 'replication'), 'connected_slaves:(%d+)')
  return { 'done', ordinal, replicas or '0' }
end)

register('touch', function(keys, args)
  local now = clock(args[1])
  local held = redis.call('HMGET', keys[1], 'gen', 'row', 'exp', 'pins')
  if not held[1] or held[1] ~= args[2] then return '' end
  local row, exp = tonumber(held[2]), tonumber(held[3])
  if row <= now or exp <= now then return '' end
  local new_row, new_exp = math.max(row, tonumber(args[3])), math.max(exp, tonumber(args[4]))
  redis.call('HSET', keys[1], 'row', digits(new_row), 'exp', digits(new_exp))
  live_for(keys[1], new_exp - now)
  return new_exp > exp and held[4] or ''
end)

register('mark_delivered', function(keys, args)
  local held = head(keys[1], clock(args[1]), args[2])
  if not held or not held.ordinal or tonumber(held.delivered) >= tonumber(args[3]) then return 0 end
  redis.call('HSET', keys[1], 't:' .. args[2], args[3])
  return 1
end)

register('close', function(keys, args)
  local held = head(keys[1], clock(args[1]), args[2])
  if not held or not held.ordinal then return 0 end
  redis.call('HDEL', keys[1], 'n:' .. args[2], 't:' .. args[2])
  if redis.call('HINCRBY', keys[1], 'names', -1) <= 0 then redis.call('DEL', keys[1]) end
  return 1
end)

register('keep_model', function(keys, args)
  if redis.call('EXISTS', keys[1]) == 0 then redis.call('SET', keys[1], args[1], 'PX', args[2]) end
  live_for(keys[1], tonumber(args[2]))
  return 1
end)

register('hold_model', function(keys, args)
  if redis.call('EXISTS', keys[1]) == 0 then return 0 end
  live_for(keys[1], tonumber(args[2]) - clock(args[1]))
  return 1
end)
`
