import ipaddr from 'ipaddr.js';

const notARange = { problem: 'Give a range such as 160.79.104.0/21 or 2001:db8::/32.' };

/**
 * The canonical form of a platform's range of addresses (CIDR), or a sentence about valid ones. A
 * single address is a range, too.
 */
export function checkRange(text: string): { value: string } | { problem: string } {
  const [, address, bits] = /^([\da-f.:]+)(?:\/(\d{1,3}))?$/i.exec(text.trim()) ?? [];
  const isComplete = address !== undefined && (address.includes(':') || isFourPart(address));
  if (!isComplete || !ipaddr.isValid(address)) return notARange;
  const parsed = ipaddr.parse(address);
  const length = parsed.kind() === 'ipv4' ? 32 : 128;
  const prefix = bits === undefined ? length : Number(bits);
  if (prefix > length) return notARange;
  if (prefix === 0) return { problem: 'A range of all addresses is not a platform.' };
  if (parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress()) {
    return { problem: `Give it as IPv4, such as ${parsed.toIPv4Address().toString()}.` };
  }
  const kind = parsed.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
  const network = kind.networkAddressFromCIDR(`${address}/${prefix}`).toString();
  return network === parsed.toString()
    ? { value: `${network}/${prefix}` }
    : {
        problem: `${address} is not the first address of a range of /${prefix}: did you mean ${network}/${prefix}?`,
      };
}

/** ipaddr.js also accepts `10.1` and octal parts. */
function isFourPart(address: string): boolean {
  return /^(?:(?:0|[1-9]\d{0,2})\.){3}(?:0|[1-9]\d{0,2})$/.test(address);
}

/** Whether two ranges in their canonical form share addresses. */
export function doOverlap(one: string, other: string): boolean {
  const [a, b] = [ipaddr.parseCIDR(one), ipaddr.parseCIDR(other)];
  if (a[0].kind() !== b[0].kind()) return false;
  return a[1] <= b[1] ? b[0].match(a) : a[0].match(b);
}
