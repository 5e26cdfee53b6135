import type { DatabaseServices } from '../database/services.js';
import type { MailSender } from './sender.js';

/** The services that send mail. */
export interface MailServices extends Pick<
  DatabaseServices,
  'database' | 'connect' | 'clock' | 'config' | 'keyring' | 'log' | 'metrics'
> {
  mailSender: MailSender;
  retryQueue: MailRetryQueue;
}

export interface MailRetryQueue {
  /** Never rejects: the sweeper finds mails that are due and have no job. */
  add(mailId: string, attempts: number, delaySeconds: number): Promise<void>;
}
