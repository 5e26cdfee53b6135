import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The name that `addressRange` gives to an ordinary address of the public internet. */
export const publicRange = 'unicast';

/** Host virtualisation of Azure: a public address that only a machine's own platform answers. */
const platformAddress = '168.63.129.16';

/** The only block from which IANA allocates global unicast IPv6 (RFC 4291, section 2.4). */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** NAT64's well-known prefix (RFC 6052): where only IPv6 is spoken, DNS64 names IPv4 hosts so. */
const nat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/**
 * Names the range of an IP address in the spelling of `net.isIP`: `publicRange`, or the name that
 * IANA's special-purpose registries (by `ipaddr.js`) give it, e.g. 'loopback', 'linkLocal'.
 * Addresses that carry an IPv4 address in themselves (v4-mapped, 6to4, Teredo, SIIT, local NAT64)
 * are ranges of their own, none of them public; only the well-known NAT64 prefix is judged by the
 * address inside, since an IPv6-only host reaches every IPv4 receiver through it. What is no
 * address is 'invalid'.
 */
export function addressRange(address: string): string {
  if (isIP(address) === 0) return 'invalid';
  const parsed = ipaddr.parse(address);
  if (parsed.kind() === 'ipv4') {
    return parsed.toString() === platformAddress ? 'cloudPlatform' : parsed.range();
  }
  const address6 = parsed as ipaddr.IPv6;
  if (address6.match(nat64)) return addressRange(address6.toByteArray().slice(12).join('.'));
  const range = address6.range();
  if (range === publicRange && !address6.match(globalUnicast)) return 'unallocated';
  return range;
}
