import { lookup as systemLookup } from 'node:dns/promises'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** An IP address that a name stands for. */
interface Address {
  readonly address: string
  readonly family: number
}

/** Finds all addresses of a name. */
export type Lookup = (hostname: string) => Promise<readonly Address[]>

/** The operating system's resolver. */
export const lookupBySystem: Lookup = (hostname) => systemLookup(hostname, { all: true })

/** Addresses outside the public internet: this machine, private, shared and reserved networks, link-local (cloud metadata). */
const V4 = subnets('ipv4', [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
])
/** The same for IPv6, and everything that embeds an IPv4 address or leads through a tunnel. */
const V6 = subnets('ipv6', [
  '::/96',
  '::ffff:0:0/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/32',
  '2001:db8::/32',
  '2002::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
])
const LOOPBACK_V4 = subnets('ipv4', ['127.0.0.0/8'])
const LOOPBACK_V6 = subnets('ipv6', ['::1/128'])

function subnets(family: 'ipv4' | 'ipv6', ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [net = '', prefix] = range.split('/')
    list.addSubnet(net, Number(prefix), family)
  }
  return list
}

function within(address: string, v4: BlockList, v6: BlockList): boolean {
  return isIP(address) === 4 ? v4.check(address, 'ipv4') : v6.check(address, 'ipv6')
}

/** Is the IP address outside the public internet? */
export function isPrivate(address: string): boolean {
  return within(address, V4, V6)
}

function isLoopback(address: string): boolean {
  return within(address, LOOPBACK_V4, LOOPBACK_V6)
}

/** The host of a URL if it is an IP address: `[::1]` without its brackets. */
export function literalAddress(hostname: string): string | undefined {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
  return isIP(bare) === 0 ? undefined : bare
}

/** Names that stand for this machine by definition (RFC 6761, section 6.3). */
export function isLocalhost(hostname: string): boolean {
  return /(^|\.)localhost\.?$/.test(hostname)
}

/** The addresses that a connection may go to. */
export type Reach = 'public' | 'loopback' | 'anywhere'

/** A name resolved to a forbidden address. */
export class OutOfReach extends Error {}

/**
 * The resolver of a socket. The addresses that were checked are the ones that are connected to, which prevents DNS
 * rebinding. One forbidden address rejects the name. Not called for literal addresses.
 */
export function guardedLookup(lookup: Lookup, reach: Reach): LookupFunction {
  return (hostname, options, callback) => {
    const answer = async () => {
      const addresses = await lookup(hostname)
      const [first] = addresses
      if (!first) throw Object.assign(new Error('no address'), { code: 'ENOTFOUND' })
      if (!addresses.every(({ address }) => reaches(reach, address))) throw new OutOfReach(hostname)
      return { addresses, first }
    }
    answer().then(
      ({ addresses, first }) => {
        if (options.all === true) callback(null, [...addresses])
        else callback(null, first.address, first.family)
      },
      (error: unknown) => callback(error instanceof Error ? error : new Error('lookup failed'), '', 0),
    )
  }
}

function reaches(reach: Reach, address: string): boolean {
  if (reach === 'anywhere') return true
  return reach === 'loopback' ? isLoopback(address) : !isPrivate(address)
}
