import type { DatabaseServices } from '../database/services.js';
import type { Languages } from '../locales/languages.js';
import type { MailSender } from './sender.js';

/** The services that sending mail needs. */
export interface MailServices extends Pick<
  DatabaseServices,
  'database' | 'connect' | 'clock' | 'config' | 'keyring' | 'log' | 'metrics' | 'tracing'
> {
  mailSender: MailSender;
  languages: Languages;
  retryQueue: MailRetryQueue;
}

export interface MailRetryQueue {
  /** Adds the job of a retry. Never rejects: the sweeper also finds due mails without a job. */
  add(mailId: string, attempts: number, delaySeconds: number): Promise<void>;
}
