import { BlockList, isIPv6, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { addressGroup, prefixBits } from '../../access/identify-caller.js';
import { type Config, ConfigError } from '../../config/config.js';
import { createKeyedCounter } from '../../platform/concurrency.js';
import { descriptorShares, mostClients, readDescriptorLimit } from '../../platform/descriptors.js';
import type { ShedCause } from '../../platform/metrics/metrics.js';
import type { PlatformServices } from '../../platform/services.js';

export interface ConnectionLimits {
  total: number;
  /** Per IPv4 address or IPv6 /48. */
  perAddress: number;
}

/** The fewest descriptors that leave enough for clients. */
const minDescriptors = 256;
const minPerAddress = 50;
const warnEveryMs = 60_000;

/**
 * The connection limits, in total and per address, of a process that may open `descriptors` files.
 * Throws `ConfigError` if these are too few. @internal
 */
export function connectionLimits(
  descriptors: number,
  config: Pick<Config, 'maxStreams' | 'maxConnectionsPerAddress'>,
): ConnectionLimits {
  if (descriptors < minDescriptors) {
    throw new ConfigError(
      `The process may open ${descriptors} files and needs ${minDescriptors}: raise the limit with ulimit -n.`,
    );
  }
  const { maxStreams } = config;
  const twentieth = Math.floor(Math.min(descriptors, mostClients(maxStreams)) / 20);
  return {
    total: descriptorShares(descriptors, maxStreams).clients,
    perAddress: config.maxConnectionsPerAddress ?? Math.max(minPerAddress, twentieth),
  };
}

/**
 * Closes each connection beyond the limits without an answer, so that clients leave descriptors to
 * the rest of the process, and one network leaves connections to the others. A trusted proxy carries
 * many clients: only the limit of the process applies to it. `perAddress` counts open connections.
 */
export function registerConnectionLimits(
  app: FastifyInstance,
  { config, log, metrics }: Pick<PlatformServices, 'config' | 'log' | 'metrics'>,
  perAddress = createKeyedCounter(),
): void {
  const { server } = app;
  const limits = connectionLimits(readDescriptorLimit(), config);
  const proxies = listProxies(config.trustProxy);
  let warnedAt = -Infinity;

  server.maxConnections = limits.total;
  server.on('drop', () => recordRefusal('connections'));
  server.on('connection', (socket: Socket) => {
    const address = limitedAddress(socket);
    if (address === null) return;
    if (perAddress.get(address) >= limits.perAddress) {
      recordRefusal('connections_per_address');
      socket.destroy();
      return;
    }
    socket.once('close', perAddress.increment(address));
  });
  server.once('listening', () => {
    // A failed accept, such as EMFILE, emits 'error', which ends the process without a listener.
    server.on('error', (error) => recordRefusal('connections', error));
  });

  /** Null for a trusted proxy, and for a peer that has gone already. */
  function limitedAddress({ remoteAddress, remoteFamily }: Socket): string | null {
    if (remoteAddress === undefined) return null;
    if (proxies.check(remoteAddress, remoteFamily === 'IPv6' ? 'ipv6' : 'ipv4')) return null;
    return addressGroup(remoteAddress, prefixBits.network);
  }

  function recordRefusal(cause: ShedCause, error?: Error): void {
    metrics.count('shedRequests', { cause });
    if (performance.now() - warnedAt < warnEveryMs) return;
    warnedAt = performance.now();
    log.warn(
      { cause, ...limits, err: error },
      'client connections are refused (logged at most once a minute)',
    );
  }
}

function listProxies(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/');
    list.addSubnet(address, Number(prefix), isIPv6(address) ? 'ipv6' : 'ipv4');
  }
  return list;
}
