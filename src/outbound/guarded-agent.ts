import type { Agent, Dispatcher } from 'undici';
import type { ResolveAddresses } from './resolve-addresses.js';
import type { TargetPolicy } from './target-guard.js';

export interface GuardedAgentOptions extends TargetPolicy, Omit<Agent.Options, 'connect'> {
  connectSeconds: number;
  resolve?: ResolveAddresses | undefined;
}

export interface GuardedAgent {
  request(options: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData>;
  /** Closes all connections; requests fail as `isAgentDestroyed` tells. */
  destroy(): Promise<void>;
}

/**
 * An undici agent that connects to allowed targets only. Unlike the global dispatcher, it ignores the
 * proxy environment variables. It is loaded with the first request: many installations send none.
 */
export function createGuardedAgent(options: GuardedAgentOptions): GuardedAgent {
  let agent: Promise<Agent> | undefined;
  let isDestroyed = false;
  return {
    async request(request) {
      if (isDestroyed) throw new AgentDestroyedError();
      agent ??= loadAgent(options);
      return (await agent).request(request);
    },
    async destroy() {
      isDestroyed = true;
      await (await agent)?.destroy();
    },
  };
}

/** With the code of undici's own error. */
class AgentDestroyedError extends Error {
  readonly code = 'UND_ERR_DESTROYED';
}

export function isAgentDestroyed(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED';
}

async function loadAgent(options: GuardedAgentOptions): Promise<Agent> {
  const { allowPrivateTargets, connectSeconds, resolve, ...rest } = options;
  const [undici, { createGuardedConnector }] = await Promise.all([
    import('undici'),
    import('./guarded-connector.js'),
  ]);
  const policy = { allowPrivateTargets, connectSeconds, ...(resolve && { resolve }) };
  return new undici.Agent({ ...rest, connect: createGuardedConnector(policy) });
}
