import type { JobQueue, QueueBackend } from './backend.js';

/** The alarm clock of one hold. */
export type ExpiryJob = { bookingId: string; expiresAt: number };

export const expiryQueueName = 'hold-expiry';

export interface Queues {
  expiry: JobQueue<ExpiryJob>;
  close(): Promise<void>;
}

export function createQueues(backend: QueueBackend): Queues {
  const expiry = backend.createQueue<ExpiryJob>(expiryQueueName);
  return { expiry, close: () => expiry.close() };
}
