import type { DatabaseServices } from '../database/services.js';
import type { StudioNotice } from '../database/studio-tables.js';
import { recordAudit } from '../repositories/audit.js';
import { recordCalendarChange } from '../repositories/events.js';
import { lockStudio, updateStudio } from '../repositories/studio-settings.js';
import { isSameText, maxNotices } from './studio-fields.js';

/** A change of one notice: without `from` it is added, without `to` it is removed. */
export interface NoticeChange {
  /** The notice as the caller saw it. */
  from: StudioNotice | null;
  to: StudioNotice | null;
}

/**
 * `changed`: the notice is no longer as the caller saw it. `same_title`: another notice has the title.
 * `too_many`: there are `maxNotices` already. In each of these, nothing was done.
 */
export type ChangedNotices = 'saved' | 'changed' | 'same_title' | 'too_many';

/** Adds, changes or removes a notice for people, and audits it. The texts have been checked. */
export async function changeNotice(
  { database }: Pick<DatabaseServices, 'database'>,
  actor: string,
  { from, to }: NoticeChange,
): Promise<ChangedNotices> {
  return database.transaction().execute(async (transaction) => {
    const { notices } = await lockStudio(transaction);
    const place = from === null ? notices.length : notices.findIndex(isSameNotice(from));
    if (place === -1) return 'changed';
    const others = notices.filter((_, index) => index !== place);
    if (to !== null && others.some(({ title }) => title === to.title)) return 'same_title';
    if (from === null && notices.length >= maxNotices) return 'too_many';
    if (from !== null && to !== null && isSameNotice(from)(to)) return 'saved';
    const after = notices.toSpliced(place, 1, ...(to === null ? [] : [to]));
    await updateStudio(transaction, { notices: JSON.stringify(after) });
    await recordCalendarChange(transaction, 'info set');
    await recordAudit(transaction, actor, 'info set', { changed: ['notices'] });
    return 'saved';
  });
}

function isSameNotice(one: StudioNotice): (other: StudioNotice) => boolean {
  return ({ title, text }) => isSameText(title, one.title) && isSameText(text, one.text);
}
