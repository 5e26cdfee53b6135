import { isIP } from 'node:net';
import { EnvError, makeValidator } from 'envalid';
import ipaddr from 'ipaddr.js';
import addressparser from 'nodemailer/lib/addressparser';

export interface MailSettings {
  smtp: SmtpSettings;
  from: NamedAddress;
}

/** A mailbox of RFC 5322 (3.4): `Night Heron <booking@example.com>`. The name may be empty. */
export interface NamedAddress {
  name: string;
  address: string;
}

export interface SmtpSettings {
  host: string;
  /** null: the default of the protocol. */
  port: number | null;
  /** Whether the connection begins with TLS (`smtps:`) or with STARTTLS (`smtp:`). */
  implicitTls: boolean;
  isLoopback: boolean;
  credentials: { user: string; password: string } | null;
}

const secretKeyMinimumLength = 32;

/** An address in ASCII at a domain name, since Message-ID contains it. */
const mailAddressPattern = /^[!-?A-~]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/;

/** A year: later dates might not be storable. */
const maxDelaySeconds = 31_536_000;

/** A number from 0 to 1. */
export const share = makeValidator<number>((input) => {
  const value = Number(input);
  if (!/^\d*\.?\d+$/.test(input) || value > 1) {
    throw new EnvError('must be a number from 0 to 1, such as 0.01');
  }
  return value;
});

/** A whole number between two inclusive bounds. */
export const whole = (minimum: number, maximum: number) =>
  makeValidator<number>((input) => {
    const value = Number(input);
    if (!/^\d+$/.test(input) || value < minimum || value > maximum) {
      throw new EnvError(`must be a whole number from ${minimum} to ${maximum}`);
    }
    return value;
  });

const list = (check: (item: string) => string) =>
  makeValidator<string[]>((input) =>
    input
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '')
      .map(check),
  );

export const cidrRanges = list((item) => {
  const [address = '', prefix = '', ...rest] = item.split('/');
  const longestPrefix = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  if (!/^\d{1,3}$/.test(prefix) || Number(prefix) > longestPrefix || rest.length > 0) {
    throw new EnvError(
      `must list the CIDR ranges of proxies, such as 10.0.0.0/8 or 192.0.2.7/32; "${item}" is none`,
    );
  }
  if (Number(prefix) === 0) {
    throw new EnvError(`must not list "${item}": any client could then forge its address`);
  }
  return item;
});

/** The origin of a web page. A URL may also have `*` in its host, which would let many websites in. */
const origin = /^https?:\/\/(?:[\w.-]+|\[[\da-f:]+\])(?::\d+)?$/;

export const origins = list((item) => {
  if (!origin.test(item) || !URL.canParse(item) || new URL(item).origin !== item) {
    throw new EnvError(`must list origins such as https://app.example.com; "${item}" is none`);
  }
  return item;
});

export const scheduleSeconds = makeValidator<number[]>((input) => {
  const items = input.split(',').map((item) => item.trim());
  const isDelay = (item: string) => /^\d+$/.test(item) && Number(item) <= maxDelaySeconds;
  if (items.length > 20 || !items.every(isDelay)) {
    throw new EnvError(
      `must list up to 20 delays of at most ${maxDelaySeconds} whole seconds, such as 5,300,1800`,
    );
  }
  return items.map(Number);
});

export const httpUrl = makeValidator<string>((input) => {
  const url = URL.canParse(input) ? new URL(input) : null;
  if (
    url === null ||
    !/^https?:$/.test(url.protocol) ||
    url.pathname !== '/' ||
    url.search !== ''
  ) {
    throw new EnvError('must be an http or https address without a path');
  }
  return url.origin;
});

/**
 * Checks for an address with one of these schemes. Refuses one whose password would be read as a part of
 * what follows the host: errors of the server could quote it.
 */
export const isAddressWith = (schemes: RegExp) => (text: string) => {
  if (!/^\w+:\/\//.test(text) || !URL.canParse(text)) return false;
  const { protocol, pathname, search, hash } = new URL(text);
  return schemes.test(protocol) && !`${pathname}${search}`.includes('@') && hash === '';
};

export const isDatabaseUrl = isAddressWith(/^postgres(ql)?:$/);

export const databaseUrlHint =
  'an address such as postgres://booking@db.example.com/booking, with its password in PGPASSWORD';

export const textWhere = (isValid: (text: string) => boolean, description: string) =>
  makeValidator<string>((input) => {
    if (!isValid(input)) throw new EnvError(`must be ${description}`);
    return input;
  });

/** The text without the given addresses, which may have a password or be secret themselves. */
export function withoutAddresses(text: string, given: readonly string[]): string {
  const addresses = given.filter((each) => /:\/\/|:\S*@/.test(each));
  return addresses.reduce((rest, address) => rest.replaceAll(address, '…'), text);
}

/** The address where vulnerabilities are reported (RFC 9116, 2.5.3). */
export const contactUri = makeValidator<string>((input) => {
  const url = URL.canParse(input) ? new URL(input) : null;
  const isContact =
    url?.protocol === 'mailto:'
      ? mailAddressPattern.test(url.pathname) && url.search + url.hash === ''
      : url?.protocol === 'https:' && url.username + url.password === '';
  if (url === null || !isContact) {
    throw new EnvError(
      'must be an address such as mailto:security@example.com or https://example.com/security',
    );
  }
  return url.href;
});

export const smtpUrl = makeValidator<SmtpSettings>((input) => {
  const url = URL.canParse(input) ? new URL(input) : null;
  const hasMore = url !== null && (!/^\/?$/.test(url.pathname) || url.search + url.hash !== '');
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === '' || hasMore) {
    throw new EnvError('must be an address such as smtp://user:password@mail.example.com:587');
  }
  const [user, password] = [url.username, url.password].map(decodeCredential);
  if ((user === '') !== (password === '')) {
    throw new EnvError('must have both a user and a password, or neither');
  }
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return {
    host,
    port: url.port === '' ? null : Number(url.port),
    implicitTls: url.protocol === 'smtps:',
    isLoopback: isLoopbackHost(host),
    credentials: user && password ? { user, password } : null,
  };
});

function decodeCredential(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    throw new EnvError('must have its user and password percent-encoded, as in pass%40word');
  }
}

export const mailAddress = makeValidator<NamedAddress>((input) => {
  const [mailbox, ...others] = addressparser(input, { flatten: true });
  if (mailbox === undefined || others.length > 0 || !mailAddressPattern.test(mailbox.address)) {
    throw new EnvError(
      'must be one address such as booking@example.com, or Night Heron <booking@example.com>',
    );
  }
  return { name: mailbox.name, address: mailbox.address };
});

export const secret = makeValidator<string>((input) => {
  if (input.length < secretKeyMinimumLength) {
    throw new EnvError(`must have at least ${secretKeyMinimumLength} characters`);
  }
  return input;
});

export function isLoopbackHost(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[|\]$/g, '');
  return name === 'localhost' || (isIP(name) !== 0 && ipaddr.process(name).range() === 'loopback');
}
