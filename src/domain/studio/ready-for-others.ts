import { isLoopback } from '../../config/addresses.js';
import type { Config } from '../../config/config.js';
import { isLoopbackHost } from '../../config/validators.js';
import type { StudioRow } from '../../database/rows/studio.js';
import { inventedDetails } from '../../repositories/studio-settings.js';

type Settings = Pick<Config, 'host' | 'publicBaseUrl' | 'trustProxy' | 'mail'>;

/** Whether others than this machine are to reach the service, or get mail from it. */
export function isForOthers({ host, publicBaseUrl, mail }: Settings): boolean {
  return !isLoopbackHost(host) || !isLoopback(publicBaseUrl) || mail !== null;
}

/** The hindrances of a service for others, as sentences with their remedies. */
export function listHindrances(config: Settings, studio: StudioRow): string[] {
  if (!isForOthers(config)) return [];
  const { host, publicBaseUrl, trustProxy } = config;
  const isLocal = isLoopback(publicBaseUrl);
  const details = [
    ...inventedDetails(studio),
    ...(isReservedForExamples(studio.email) ? ['email'] : []),
  ];
  // The service itself speaks no TLS.
  const isBehindProxy = publicBaseUrl.startsWith('https:') || (isLoopbackHost(host) && !isLocal);
  return [
    details.length > 0 &&
      `The studio is still the invented one in its ${details.join(', ')}: set your own with "studio info set", or in the console.`,
    isLocal &&
      `Links lead to ${publicBaseUrl}, which only this machine reaches: set PUBLIC_BASE_URL to the address that people open.`,
    isBehindProxy &&
      trustProxy.length === 0 &&
      `A proxy answers at ${publicBaseUrl}, and everybody shares its limits: set TRUST_PROXY to its addresses.`,
  ].filter((sentence) => sentence !== false);
}

/**
 * Whether the domain of an address is reserved for examples and tests (RFC 2606, RFC 6761).
 * @internal
 */
export function isReservedForExamples(address: string): boolean {
  const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase();
  return /(^|\.)(example(\.(com|net|org))?|test|invalid|localhost)\.?$/.test(domain);
}
