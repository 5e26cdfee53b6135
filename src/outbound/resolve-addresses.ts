import { lookup, Resolver } from 'node:dns/promises';

/** Resolves a host name to all its addresses, v4 and v6. Rejects with a `code` as `node:dns` does. */
export type ResolveAddresses = (hostname: string) => Promise<string[]>;

/**
 * Queries the name servers directly (`servers`, by default those of the system) for both families.
 * getaddrinfo would occupy one of the process's four pool threads per slow name, and search local
 * domains.
 */
export async function resolveByNameServers(
  hostname: string,
  servers?: string[],
): Promise<string[]> {
  const resolver = new Resolver({ timeout: 2000, tries: 2 });
  if (servers) resolver.setServers(servers);
  const answers = await Promise.allSettled([
    resolver.resolve4(hostname),
    resolver.resolve6(hostname),
  ]);
  const addresses = answers.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
  if (addresses.length > 0) return addresses;
  const failures = answers.flatMap((each): Error[] =>
    each.status === 'rejected' ? [each.reason as Error] : [],
  );
  // The absence of one family means nothing if the query for the other failed.
  const failure = failures.find((each) => !isNameAbsent(each)) ?? failures[0];
  if (failure !== undefined) throw failure;
  return [];
}

/** Resolves by the machine's own configuration, its hosts file included. */
export async function resolveBySystem(hostname: string): Promise<string[]> {
  const answers = await lookup(hostname, { all: true });
  return answers.map(({ address }) => address);
}

/** Whether a resolution failed because the name does not exist or has no address. */
export function isNameAbsent(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOTFOUND' || code === 'ENODATA';
}
