import { sha256 } from '../../../base/hash.ts'
import { ENTRY_FUNCTIONS } from './entry-functions.ts'
import { NAME_FUNCTIONS } from './name-functions.ts'
import { SESSION_FUNCTIONS } from './session-functions.ts'
import { TRANSCRIPT_FUNCTIONS } from './transcript-functions.ts'

/**
 * Shared by all functions.
 *
 * `present` is the `run_id` of the server process, cached by the library on its first call: a process never changes its
 * own. A process that replaced this one has another, whatever data it loaded.
 *
 * Reads are registered without `no-writes` on purpose: a replica then refuses them instead of returning stale data.
 */
const SHARED = `
local SLACK = 3600000
local BURN = 1000
local process
local function present()
  if not process then process = string.match(redis.call('INFO', 'server'), 'run_id:(%x+)') end
  return process
end
local function clock(given)
  if given ~= '' then return tonumber(given) end
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end
local function digits(number) return string.format('%.0f', number) end
local function live_for(key, milliseconds)
  local wanted = math.max(milliseconds, 0) + SLACK
  if redis.call('PTTL', key) < wanted then redis.call('PEXPIRE', key, digits(wanted)) end
end
-- The first number that was surely never given: a process that came anew may have forgotten some of the last.
local function unused(counter, field, floor)
  local held = redis.call('HMGET', counter, field, 'run')
  local number = tonumber(held[1] or '0')
  if held[2] and held[2] ~= present() then number = number + BURN end
  redis.call('HSET', counter, 'run', present())
  return math.max(number, tonumber(floor))
end
local function register(name, callback)
  redis.register_function{ function_name = PREFIX .. name, callback = callback }
end
local function register_read(name, callback)
  redis.register_function{ function_name = PREFIX .. name, callback = callback, flags = { 'allow-oom' } }
end
`

const SOURCE = [SHARED, NAME_FUNCTIONS, SESSION_FUNCTIONS, ENTRY_FUNCTIONS, TRANSCRIPT_FUNCTIONS].join('\n')

/**
 * The library is named after its content: versions of Plasmid that share a server never replace each other's functions,
 * and no function changes under a process that calls it.
 */
const NAME = `plasmid_${sha256(SOURCE).slice(0, 16)}`

/** The argument of `FUNCTION LOAD`. */
export const LIBRARY = `#!lua name=${NAME}\nlocal PREFIX = '${NAME}_'\n${SOURCE}`

/** The name of a function on the server. */
export function functionName(name: string): string {
  return `${NAME}_${name}`
}
