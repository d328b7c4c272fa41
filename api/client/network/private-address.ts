/** Refuses addresses of private networks, so that a message never reaches a service inside by a name from outside. */
import { lookup as lookupAddress, type LookupAddress } from 'node:dns';
import { lookup as lookupName } from 'node:dns/promises';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** Thrown in place of a connection. */
export class PrivateAddressError extends Error {
  constructor() {
    super('the address is private');
    this.name = 'PrivateAddressError';
  }
}

/** Those of IANA's special-purpose registry that no service of the Internet has, and multicast. */
const privateNetworks = new BlockList();
for (const [base, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  privateNetworks.addSubnet(base, bits, 'ipv4');
for (const [base, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  privateNetworks.addSubnet(base, bits, 'ipv6');

/** Everything else of IPv6 is reserved, local, or carries IPv4. */
const globalNetworks = new BlockList();
globalNetworks.addSubnet('2000::', 3, 'ipv6');
globalNetworks.addSubnet('::ffff:0:0', 96, 'ipv6');

/** @param address an IP address; IPv4 in IPv6 counts as IPv4, and what only carries IPv4 as private. */
export function isPrivateAddress(address: string): boolean {
  const bare = address.replace(/^\[(.+)\]$/, '$1').replace(/%.*$/, '');
  const version = isIP(bare);
  if (version === 0) return false;
  if (version === 4) return privateNetworks.check(bare, 'ipv4');
  return !globalNetworks.check(bare, 'ipv6') || privateNetworks.check(bare, 'ipv6');
}

/** Resolves a name, and fails if one of its addresses is private: checked for the very connection that is made. */
export const publicLookup: LookupFunction = (hostname, options, done) => {
  lookupAddress(hostname, { ...options, all: true }, (error, found: LookupAddress[]) => {
    if (error !== null) done(error, '');
    else if (found.some(({ address }) => isPrivateAddress(address))) done(new PrivateAddressError(), '');
    else if (options.all === true) done(null, found);
    else done(null, found[0]?.address ?? '', found[0]?.family);
  });
};

/**
 * Returns whether a name is known here as one of a private network, for a connection that a proxy makes. A name that
 * only the proxy knows is the proxy's to refuse.
 */
export async function leadsInside(hostname: string): Promise<boolean> {
  try {
    return (await lookupName(hostname, { all: true })).some(({ address }) => isPrivateAddress(address));
  } catch {
    return false; // unknown here
  }
}
