import { InvalidArgumentError } from 'commander';
import ipaddr from 'ipaddr.js';

/** Parses the name of a platform: it is a label of metrics, and staff type it. */
export function platformName(value: string): string {
  if (!/^[a-z0-9][a-z0-9-]{0,39}$/.test(value)) {
    throw new InvalidArgumentError(
      'Give a name of 1 to 40 lower-case letters, digits and dashes, such as claude.',
    );
  }
  return value;
}

/** Parses CIDR ranges, one at a time, to their canonical form; a single address is a range, too. */
export function ranges(value: string, before: readonly string[] = []): string[] {
  const range = canonicalRange(value.trim());
  const overlapping = before.find((other) => overlap(range, other));
  if (overlapping !== undefined) {
    throw new InvalidArgumentError(`It overlaps with ${overlapping}.`);
  }
  return [...before, range];
}

function canonicalRange(value: string): string {
  const [, address, bits] = /^([\da-f.:]+)(?:\/(\d{1,3}))?$/i.exec(value) ?? [];
  const isComplete = address !== undefined && (address.includes(':') || isFourPart(address));
  if (!isComplete || !ipaddr.isValid(address)) throw notARange();
  const parsed = ipaddr.parse(address);
  const length = parsed.kind() === 'ipv4' ? 32 : 128;
  const prefix = bits === undefined ? length : Number(bits);
  if (prefix > length) throw notARange();
  if (prefix === 0) {
    throw new InvalidArgumentError('A range of all addresses is not a platform.');
  }
  if (parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress()) {
    throw new InvalidArgumentError(
      `Give it as IPv4, such as ${parsed.toIPv4Address().toString()}.`,
    );
  }
  const kind = parsed.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
  const network = kind.networkAddressFromCIDR(`${address}/${prefix}`).toString();
  if (network !== parsed.toString()) {
    throw new InvalidArgumentError(
      `${address} is not the first address of a range of /${prefix}: did you mean ${network}/${prefix}?`,
    );
  }
  return `${network}/${prefix}`;
}

/** ipaddr.js also accepts `10.1` and octal parts. */
function isFourPart(address: string): boolean {
  return /^(?:(?:0|[1-9]\d{0,2})\.){3}(?:0|[1-9]\d{0,2})$/.test(address);
}

function notARange(): InvalidArgumentError {
  return new InvalidArgumentError('Give a range such as 160.79.104.0/21 or 2001:db8::/32.');
}

function overlap(one: string, other: string): boolean {
  const [a, b] = [ipaddr.parseCIDR(one), ipaddr.parseCIDR(other)];
  if (a[0].kind() !== b[0].kind()) return false;
  return a[1] <= b[1] ? b[0].match(a) : a[0].match(b);
}
