/** The granularity of expiries: entries that expire within the same period are counted together. */
const HOUR_MS = 3_600_000

/** How long the counter of an owner and kind outlives its last entry. */
const NUMBERS_MS = 400 * 24 * 3_600_000

/**
 * Functions on the entries of one owner and kind. Each entry is its own hash, so that it expires independently. Three
 * keys accompany them: their order (`order`, by the count of entries so far), their expiries (`ends`) and the last number
 * allocated (`counter`). The key of a numbered entry is built here from its number; it shares the hash tag of the keys
 * that are passed in.
 */
export const ENTRY_FUNCTIONS = `
local function alive(key, now)
  local exp = redis.call('HGET', key, 'exp')
  return exp and tonumber(exp) > now
end
local function put(key, order, ends, counter, now, tag, name, body, life, call)
  for _, ended in ipairs(redis.call('ZRANGE', ends, '-inf', digits(now), 'BYSCORE', 'LIMIT', 0, 8)) do
    redis.call('ZREM', ends, ended)
    redis.call('ZREM', order, ended)
  end
  local exp = now + tonumber(life)
  redis.call('DEL', key)
  redis.call('HSET', key, 'v', 1, 'name', name, 'body', body, 'exp', digits(exp), 'call', call, 'run', present())
  redis.call('ZADD', order, redis.call('HINCRBY', counter, 'count', 1), tag)
  redis.call('ZADD', ends, digits(exp), tag)
  live_for(key, exp - now)
  live_for(order, exp - now)
  live_for(ends, exp - now)
  live_for(counter, ${NUMBERS_MS})
end

local function full(ends, now, most)
  return most ~= '' and redis.call('ZCOUNT', ends, '(' .. digits(now), '+inf') >= tonumber(most)
end

register('append', function(keys, args)
  local now, floor, body, life, call = clock(args[1]), args[2], args[3], args[4], args[5]
  if full(keys[3], now, args[6]) then return '' end
  local number = unused(keys[4], 'last', floor)
  repeat number = number + 1 until not alive(keys[1] .. digits(number), now)
  local tag = digits(number)
  redis.call('HSET', keys[4], 'last', tag)
  put(keys[1] .. tag, keys[2], keys[3], keys[4], now, tag, '"' .. tag .. '"', body, life, call)
  return tag
end)

register('claim', function(keys, args)
  local now, tag, name, body, life, call = clock(args[1]), args[2], args[3], args[4], args[5], args[6]
  if alive(keys[1], now) then
    return redis.call('HGET', keys[1], 'call') == call and 1 or 0
  end
  if full(keys[3], now, args[7]) then return 0 end
  put(keys[1], keys[2], keys[3], keys[4], now, tag, name, body, life, call)
  return 1
end)

register('replace', function(keys, args)
  local now, tag, version, body, life, call = clock(args[1]), args[2], tonumber(args[3]), args[4], args[5], args[6]
  if not alive(keys[1], now) then return 0 end
  local held = redis.call('HMGET', keys[1], 'v', 'call')
  if tonumber(held[1]) == version + 1 and held[2] == call then return 1 end
  if tonumber(held[1]) ~= version then return 0 end
  local exp = now + tonumber(life)
  redis.call('HSET', keys[1], 'v', version + 1, 'body', body, 'exp', digits(exp), 'call', call, 'run', present())
  redis.call('ZADD', keys[3], digits(exp), tag)
  redis.call('PEXPIRE', keys[1], digits(math.max(exp - now, 0) + SLACK))
  live_for(keys[2], exp - now)
  live_for(keys[3], exp - now)
  return 1
end)

-- The bytes that a principal has, by the hour in which they end.
local function spent(key, now)
  local hour, sum, over = math.floor(now / ${HOUR_MS}), 0, {}
  local held = redis.call('HGETALL', key)
  for at = 1, #held, 2 do
    if tonumber(held[at]) < hour then table.insert(over, held[at]) else sum = sum + tonumber(held[at + 1]) end
  end
  if #over > 0 then redis.call('HDEL', key, unpack(over)) end
  return sum
end

register('spend', function(keys, args)
  local now, bytes, life = clock(args[1]), args[2], tonumber(args[3])
  redis.call('HINCRBY', keys[1], digits(math.floor((now + life) / ${HOUR_MS})), bytes)
  live_for(keys[1], life)
  return 1
end)

register('spent', function(keys, args)
  return digits(spent(keys[1], clock(args[1])))
end)

register_read('read', function(keys, args)
  local held = redis.call('HMGET', keys[1], 'name', 'v', 'body', 'exp', 'run')
  if not held[1] or tonumber(held[4]) <= clock(args[1]) then return {} end
  return { held[1], held[2], held[3], held[4], held[5] ~= present() and '1' or '' }
end)
`
