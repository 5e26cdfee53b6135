import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The range of the addresses of the public internet. */
export const publicRange = 'unicast';

/** Azure's host service: a public address that reaches only the platform of the machine itself. */
const platformAddress = '168.63.129.16';

/** The only block from which IANA allocates global unicast IPv6 (RFC 4291, section 2.4). */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** NAT64's well-known prefix (RFC 6052), under which DNS64 shows IPv4 hosts to IPv6-only ones. */
const nat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/**
 * The range of an IP address (as `net.isIP` accepts it): `publicRange`, or the name of `ipaddr.js` for
 * the range in IANA's special-purpose registries, e.g. 'loopback', 'linkLocal'; 'invalid' if it is no
 * address. Addresses with an embedded IPv4 address (v4-mapped, 6to4, Teredo, SIIT, local NAT64) have
 * ranges of their own, none of them public. The well-known NAT64 prefix has the range of the embedded
 * address, since an IPv6-only host reaches every IPv4 receiver through it.
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
