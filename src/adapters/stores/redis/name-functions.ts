/** An older reservation was committed or abandoned: its number is not handed out again. */
export const RESERVED_MS = 600_000

/** Functions on the keys of one principal's names, and on the key of the store's epoch. */
export const NAME_FUNCTIONS = `
-- A number for a session that the principal is about to commit: that of a moment ago, so that rivals share it, or a new
-- one. A sample of older names comes along, for the caller to see whether they still hold.
register('reserve', function(keys, args)
  local counter, index, reserved = keys[1], keys[2], keys[3]
  local now, address, floor = clock(args[1]), args[2], args[3]
  local held = redis.call('HMGET', reserved, 'ordinal', 'at')
  if held[1] and tonumber(held[2]) > now - ${RESERVED_MS} and tonumber(held[1]) >= tonumber(floor) then
    return { digits(now), held[1] }
  end
  if args[4] ~= '' and redis.call('ZCARD', index) >= tonumber(args[4]) then return { digits(now) } end
  local number = unused(counter, 'next', floor)
  local ordinal = digits(number)
  redis.call('HSET', counter, 'next', digits(number + 1))
  redis.call('ZADD', index, ordinal, ordinal .. ':' .. digits(now) .. ':' .. address)
  redis.call('DEL', reserved)
  redis.call('HSET', reserved, 'ordinal', ordinal, 'at', digits(now))
  redis.call('PEXPIRE', reserved, ${RESERVED_MS})
  -- Whoever has this one session alone needs no numbers after it.
  if args[5] ~= '' then
    live_for(counter, tonumber(args[5]) - now)
    live_for(index, tonumber(args[5]) - now)
  end
  local reply = { digits(now), ordinal }
  for _, member in ipairs(redis.call('ZRANDMEMBER', index, 4)) do table.insert(reply, member) end
  return reply
end)

register('meet', function(keys, args)
  local key = keys[1]
  local born, wipes, schema, newest = args[1], args[2], args[3], args[4]
  if redis.call('EXISTS', key) == 0 then
    redis.call('HSET', key, 'born', born, 'check', newest, 'wipes', wipes, 'schema', schema)
  end
  local held = redis.call('HMGET', key, 'born', 'check', 'wipes', 'schema')
  -- Another node may know an earlier life of this store that the one who found it empty did not know.
  local ours = false
  for at = 4, #args do ours = ours or args[at] == held[2] end
  if ours and tonumber(held[3]) < tonumber(wipes) then
    redis.call('HSET', key, 'wipes', wipes)
    held[3] = wipes
  end
  return held
end)
`
