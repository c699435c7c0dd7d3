/**
 * Functions on the transcripts of one principal. Each is a hash without its lines and a list of its lines; an index orders
 * them by number, and its members name the keys of the two.
 */
export const TRANSCRIPT_FUNCTIONS = `
local function transcript(key, now)
  local held = redis.call('HMGET', key, 'id', 'number', 'head', 'lines', 'bytes', 'updated', 'exp', 'holder', 'until')
  if not held[1] or tonumber(held[7]) <= now then return nil end
  return held
end
local function shown_transcript(now, held)
  return { digits(now), held[1], held[2], held[3], held[4], held[5], held[6], held[8], held[9] }
end

register('begin_transcript', function(keys, args)
  local key, lines, index, counter = keys[1], keys[2], keys[3], keys[4]
  local now, tag, id, head, life, most, call = clock(args[1]), args[2], args[3], args[4], tonumber(args[5]), tonumber(args[6]), args[7]
  if transcript(key, now) then
    return redis.call('HGET', key, 'call') == call and 'begun' or 'taken'
  end
  if redis.call('ZCARD', index) >= most then
    for _, member in ipairs(redis.call('ZRANGE', index, 0, -1)) do
      if not transcript(args[8] .. member, now) then redis.call('ZREM', index, member) end
    end
    if redis.call('ZCARD', index) >= most then return 'full' end
  end
  redis.call('DEL', key, lines)
  local number = digits(redis.call('INCR', counter))
  redis.call('HSET', key, 'id', id, 'number', number, 'head', head, 'lines', 0, 'bytes', 0, 'updated', digits(now),
    'exp', digits(now + life), 'holder', '', 'until', 0, 'call', call)
  redis.call('ZADD', index, number, tag)
  live_for(key, life)
  live_for(index, life)
  live_for(counter, life)
  return 'begun'
end)

register_read('find_transcript', function(keys, args)
  local now = clock(args[1])
  local held = transcript(keys[1], now)
  return held and shown_transcript(now, held) or {}
end)

register('list_transcripts', function(keys, args)
  local now, below, limit, listed = clock(args[1]), args[2], tonumber(args[3]), {}
  while #listed < limit do
    local members = redis.call('ZRANGE', keys[1], below, '-inf', 'BYSCORE', 'REV', 'LIMIT', 0, limit, 'WITHSCORES')
    if #members == 0 then break end
    for at = 1, #members, 2 do
      below = '(' .. members[at + 1]
      local held = transcript(args[4] .. members[at], now)
      if not held then redis.call('ZREM', keys[1], members[at])
      elseif #listed < limit then table.insert(listed, shown_transcript(now, held)) end
    end
  end
  return listed
end)

register('hold_transcript', function(keys, args)
  local now, holder, hold = clock(args[1]), args[2], tonumber(args[3])
  local held = transcript(keys[1], now)
  if not held then return {} end
  local free = held[8] == '' or held[8] == holder or tonumber(held[9]) <= now
  if free then redis.call('HSET', keys[1], 'holder', holder, 'until', digits(now + hold)) end
  local reply = shown_transcript(now, held)
  table.insert(reply, free and '1' or '0')
  return reply
end)

register('append_lines', function(keys, args)
  local now, holder, call, head, hold, life = clock(args[1]), args[2], args[3], args[4], tonumber(args[5]), tonumber(args[6])
  local held = transcript(keys[1], now)
  if not held then return 0 end
  if redis.call('HGET', keys[1], 'call') == call then return 1 end
  if held[8] ~= holder then return 0 end
  local bytes = 0
  for at = 8, #args do
    redis.call('RPUSH', keys[2], args[at])
    bytes = bytes + #args[at]
  end
  local count = #args - 7
  redis.call('HINCRBY', keys[1], 'lines', math.max(count, 0))
  redis.call('HINCRBY', keys[1], 'bytes', bytes)
  if args[7] == '1' then redis.call('HSET', keys[1], 'head', head) end
  if count > 0 or args[7] == '1' then redis.call('HSET', keys[1], 'updated', digits(now)) end
  redis.call('HSET', keys[1], 'call', call, 'exp', digits(now + life),
    'holder', hold > 0 and holder or '', 'until', hold > 0 and digits(now + hold) or '0')
  for _, key in ipairs(keys) do live_for(key, life) end
  return 1
end)

register_read('transcript_lines', function(keys, args)
  if not transcript(keys[1], clock(args[1])) then return {} end
  return redis.call('LRANGE', keys[2], args[2], args[3])
end)

register('drop_transcript', function(keys, args)
  local there = transcript(keys[1], clock(args[1])) and 1 or 0
  redis.call('DEL', keys[1], keys[2])
  redis.call('ZREM', keys[3], args[2])
  return there
end)
`
