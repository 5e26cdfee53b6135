import { readFileSync } from 'node:fs';

/**
 * The file descriptors that this process may open; Infinity where the system sets no limit. Node raises
 * the soft limit to the hard one at its start.
 */
export function readDescriptorLimit(): number {
  const limit = /^Max open files +(\d+)/m.exec(linuxLimits())?.[1] ?? reportedLimit();
  return Number.isNaN(Number(limit)) ? Infinity : Number(limit);
}

/**
 * The fewest descriptors, and a quarter at least, are reserved for the database, queues, webhooks, files
 * and the log.
 */
const minReserved = 128;
/** The most connections: more would take too much memory for one process. */
const maxConnections = 20_000;

export interface DescriptorShares {
  /** Client connections in total. */
  clients: number;
  /** Connections to the receivers of webhooks. */
  webhooks: number;
}

/** The shares of a process that may open `descriptors` files; the rest is for all else. */
export function descriptorShares(descriptors: number, maxStreams: number): DescriptorShares {
  const clients = Math.min(
    Math.floor((descriptors * 3) / 4),
    descriptors - minReserved,
    mostClients(maxStreams),
  );
  return { clients, webhooks: Math.floor((descriptors - clients) / 2) };
}

/** The most client connections, however many descriptors there are. */
export function mostClients(maxStreams: number): number {
  // The viewers of the live stream, and as many others.
  return Math.max(maxConnections, 2 * maxStreams);
}

function linuxLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return '';
  }
}

/** The limit that Node reports, on every platform, in 40 ms. */
function reportedLimit(): unknown {
  const report = process.report.getReport() as unknown as {
    userLimits?: { open_files?: { soft?: unknown } };
  };
  return report.userLimits?.open_files?.soft;
}
