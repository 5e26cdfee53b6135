import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import {
  resolveByNameServers,
  resolveBySystem,
  type ResolveAddresses,
} from './resolve-addresses.js';
import {
  isAllowedAddress,
  resolveAllowed,
  TargetRefusedError,
  type TargetPolicy,
} from './target-guard.js';

/** An undici connector that checks the address that it dials, literal or resolved. */
export function createGuardedConnector({
  allowPrivateTargets,
  connectSeconds,
  resolve = allowPrivateTargets ? resolveBySystem : resolveByNameServers,
}: TargetPolicy & {
  connectSeconds: number;
  resolve?: ResolveAddresses;
}): buildConnector.connector {
  const policy = { allowPrivateTargets };
  const connect = buildConnector({
    lookup: createGuardedLookup(resolve, policy),
    timeout: connectSeconds * 1000,
    // This is explicit, so that NODE_TLS_REJECT_UNAUTHORIZED cannot disable it.
    rejectUnauthorized: true,
    allowH2: false,
  });
  return (options, callback) => {
    const { hostname } = options;
    if (isIP(hostname) !== 0 && !isAllowedAddress(hostname, policy)) {
      callback(new TargetRefusedError(), null);
      return;
    }
    connect(options, callback);
  };
}

/**
 * A `lookup` for `net.connect` that returns only checked addresses, so that the socket dials one of
 * them. Sockets do not call it for literal addresses.
 * @internal
 */
export function createGuardedLookup(
  resolve: ResolveAddresses,
  policy: TargetPolicy,
): LookupFunction {
  return (hostname, options, callback) => {
    resolveAllowed(hostname, resolve, policy).then(
      (addresses) => {
        const [first] = addresses;
        if (options.all || !first) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => {
        callback(error, []);
      },
    );
  };
}
