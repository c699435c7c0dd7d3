import type { Wire, WireCall } from '../../wire.ts'

type Limits = Parameters<Wire['send']>[1]
type Target = WireCall['target']

/**
 * Sends a call, and once more to the same address with a slash at its end, or without that, where the API says that it stands
 * there. A change only where the status says that it is the same call (307, 308): others may lead to what became of it.
 */
export async function sendPastSlash(wire: Wire, call: WireCall, limits: Limits): ReturnType<Wire['send']> {
  const first = await wire.send(call, limits)
  if (first.ok || first.failure.isSlashAway !== true) return first
  const { status, requests } = first.failure
  if (!call.repeatable && status !== 307 && status !== 308) return first
  const second = await wire.send({ ...call, target: slashed(call.target) }, limits)
  return second.ok
    ? { ok: true, reply: { ...second.reply, requests: second.reply.requests + requests } }
    : { ok: false, failure: { ...second.failure, requests: second.failure.requests + requests } }
}

function slashed(target: Target): Target {
  return 'path' in target ? { path: otherEnd(target.path) } : { url: otherEnd(target.url) }
}

function otherEnd(address: string): string {
  // The address of a next page has its query in it.
  const [path = ''] = address.split('?', 1)
  return `${path.endsWith('/') ? path.slice(0, -1) : `${path}/`}${address.slice(path.length)}`
}
