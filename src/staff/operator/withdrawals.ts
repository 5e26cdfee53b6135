import { isDatabaseUrl } from '../../config/validators.js';
import { type Grant, listGrants } from '../../database/backup/withdrawn.js';
import { withClient } from '../../database/client.js';
import type { CommandContext } from '../command-context.js';
import { openDatabase } from '../session.js';
import { table } from '../text.js';

export const withdrawals =
  'removed passkeys, feeds and platforms, those of artists who were hidden or left, revoked API keys, deleted webhooks, forgotten persons';

export const unknownWithdrawals = `What was withdrawn after the backup is in force again, and cannot be known here: ${withdrawals}. To list it, name the installation that is replaced with --replaces.`;

/** The environment of commands on a data folder. */
export function folderOf(environment: CommandContext['environment'], folder: string) {
  return { ...environment, DATABASE_URL: undefined, DATA_DIR: folder };
}

/** What is in force in the installation that is replaced. */
export async function grantsOf({ environment }: CommandContext, old: string): Promise<Grant[]> {
  const opened = await openDatabase(
    isDatabaseUrl(old) ? { ...environment, DATABASE_URL: old } : folderOf(environment, old),
    { mayCreate: false },
  );
  try {
    return await withClient(opened.connection, listGrants);
  } finally {
    await opened.close();
  }
}

export function revivedLines(revived: readonly Grant[]): string[] {
  if (revived.length === 0)
    return ['Nothing that was withdrawn after the backup is in force again.'];
  return ['In force again, though withdrawn after the backup:', ...grantTable(revived)];
}

export function grantTable(grants: readonly Grant[]): string[] {
  return table(
    ['WHAT', 'NAME', 'ID'],
    grants.map(({ kind, label, id }) => [kind, label, id]),
  );
}
