import type { MailStatus } from '../../database/mail-tables.js';
import { pathWith } from '../paging.js';

/** Which mails a page shows, as its address says it. */
export interface MailSelection {
  /** Null: of every status. */
  status: MailStatus | null;
  /** The position of the last mail of the page before. */
  before: string | null;
}

export function linkToMails(
  selection: Partial<MailSelection>,
  fields: { done?: string } = {},
): string {
  return pathWith('/console/mail', { ...selection, ...fields });
}
