import { type BackupHeader, rowsOf } from '../../database/backup/format.js';
import type { Restored } from '../../database/backup/restore.js';
import type { Grant } from '../../database/backup/withdrawn.js';
import { movedPath } from '../../database/embedded/data-folder.js';
import type { TerminalRun } from '../command.js';
import { count, table } from '../text.js';
import { headerData } from './backup.js';
import { revivedLines, unknownWithdrawals } from './withdrawals.js';

interface Done extends Restored {
  header: BackupHeader;
  /** The data folder that was moved; null where a file was restored. */
  folder: string | null;
  destination: string;
  hasKey: boolean;
  /** Null where it is not known. */
  revived: Grant[] | null;
}

export function printDone({ print }: TerminalRun, done: Done): void {
  const { header, folder, destination, hasKey, revived, effects, checksums } = done;
  const rows = count(rowsOf(header), 'row');
  const newKey = hasKey ? [] : ['The secret key is a new one: webhook subscriptions are disabled.'];
  const data = { with_secret_key: hasKey, ...headerData(header) };
  const rowTable = table(
    ['TABLE', 'ROWS', ...(checksums === null ? [] : ['CHECKSUM'])],
    header.tables.map(({ name, rows: number }) => {
      return [name, String(number), ...(checksums?.[name]?.split(' ').slice(1) ?? [])];
    }),
  );
  if (folder !== null) {
    return print({ ...data, moved_to: destination, checksums }, () => [
      ...rowTable,
      `Moved to ${destination}: ${rows}, with the same checksums in both.`,
      `${folder} is as it was, and nothing starts on it while ${movedPath(folder)} is there.`,
      ...newKey,
    ]);
  }
  const { dropped = {}, kept = {} } = effects ?? {};
  print({ ...data, dropped, kept, revived }, () => [
    ...rowTable,
    `Restored into ${destination}: ${rows}, as of ${header.createdAt}.`,
    `Dropped, since it may have been sent, used or ended since: ${counts(dropped)}.`,
    `Kept, since it is due later: ${counts(kept)}.`,
    ...(revived === null ? [unknownWithdrawals] : revivedLines(revived)),
    ...newKey,
  ]);
}

function counts(rows: Record<string, number>): string {
  const some = Object.entries(rows).filter(([, number]) => number > 0);
  return some.map(([noun, number]) => count(number, noun)).join(', ') || 'nothing';
}
