import type { Agent, Dispatcher } from 'undici';
import { lazily } from '../platform/concurrency.js';
import type { ResolveAddresses } from './resolve-addresses.js';
import type { TargetPolicy } from './target-guard.js';

export interface GuardedAgentOptions extends TargetPolicy, Omit<Agent.Options, 'connect'> {
  connectSeconds: number;
  resolve?: ResolveAddresses | undefined;
}

/**
 * An undici agent that connects to allowed targets only. Unlike the global dispatcher, it ignores the
 * proxy environment variables. It is loaded with the first request: many installations send none.
 */
export function createGuardedAgent(options: GuardedAgentOptions) {
  let loading: Promise<Agent> | undefined;
  const connections = { open: 0 };
  const agent = lazily(() => (loading = loadAgent(options, connections)));
  let isDestroyed = false;
  return {
    async request(request: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData> {
      if (isDestroyed) throw new AgentDestroyedError();
      return (await agent()).request(request);
    },
    /** The open connections, including idle ones, without those being opened. */
    openConnections: () => connections.open,
    /** Closes all connections; `isAgentDestroyed` recognizes the errors of their requests. */
    async destroy(): Promise<void> {
      isDestroyed = true;
      // An agent that was not loaded has no connections.
      const loaded = await loading?.catch(() => undefined);
      await loaded?.destroy();
    },
  };
}

/** An error with the code of undici's own. */
class AgentDestroyedError extends Error {
  readonly code = 'UND_ERR_DESTROYED';
}

export function isAgentDestroyed(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED';
}

async function loadAgent(
  options: GuardedAgentOptions,
  connections: { open: number },
): Promise<Agent> {
  const { allowPrivateTargets, connectSeconds, resolve, ...rest } = options;
  const [undici, { createGuardedConnector }] = await Promise.all([
    import('undici'),
    import('./guarded-connector.js'),
  ]);
  const policy = { allowPrivateTargets, connectSeconds, ...(resolve && { resolve }) };
  return new undici.Agent({ ...rest, connect: createGuardedConnector(policy) })
    .on('connect', () => (connections.open += 1))
    .on('disconnect', () => (connections.open -= 1));
}
