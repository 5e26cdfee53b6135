import { ConfigError, type Config } from '../../config/config.js';
import type { InstallationMode, LinkEffects } from '../../database/rows/results.js';
import type { DatabaseServices } from '../../database/services.js';
import { recordAudit } from '../../repositories/audit.js';
import { readLinkEffects } from '../../repositories/codes.js';
import { readMode, recordMode } from '../../repositories/installation.js';
import {
  dropWhileMailIsOff,
  lockMails,
  readMailOffEffects,
  type MailOffEffects,
} from '../../repositories/mail-dispatch.js';

export type { MailOffEffects } from '../../repositories/mail-dispatch.js';

type Settings = Pick<Config, 'mail' | 'confirmation'>;
type ModeServices = Pick<DatabaseServices, 'database'>;

/** The recorded settings that a process lacks, in sentences; null if it has all. */
export function missingSettings(
  mode: InstallationMode,
  { mail, confirmation }: Settings,
): string | null {
  const lacks = [
    mode.confirmation === 'code' &&
      confirmation === 'link' &&
      'Confirming takes a code in this installation: set CONFIRMATION=code in every process, or switch to the link alone with "studio confirmation link".',
    mode.mail &&
      mail === null &&
      'Mail is on in this installation: set SMTP_URL and MAIL_FROM in every process, or switch it off for all with "studio mail off".',
  ].filter((lack) => lack !== false);
  return lacks.length === 0 ? null : lacks.join('\n');
}

/**
 * Records the mode of a starting process's settings for all processes. Throws `ConfigError` if they lack
 * what is recorded: one process must not switch it off for the others.
 */
export async function adoptMode({
  database,
  config,
}: Pick<DatabaseServices, 'database' | 'config'>): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await lockMails(transaction);
    const mode = await readMode(transaction);
    const lack = missingSettings(mode, config);
    if (lack !== null) throw new ConfigError(lack);
    if (config.mail !== null && !mode.mail) {
      await dropWhileMailIsOff(transaction);
      await recordMode(transaction, 'mail_on', true);
    }
    if (config.confirmation !== mode.confirmation) {
      await recordMode(transaction, 'code_on', true);
    }
  });
}

/** `code`: confirming takes a code, which needs mail. */
export type MailOffRefusal = 'off' | 'code';

function mailOffRefusal(mode: InstallationMode): MailOffRefusal | null {
  if (!mode.mail) return 'off';
  return mode.confirmation === 'code' ? 'code' : null;
}

export type SwitchOutcome<Effects, Refusal> =
  | { outcome: 'done'; effects: Effects }
  | { outcome: Refusal };

/** Switches mail off in all processes, and drops unsent mail, except later reminders; `dryRun` does not. */
export async function switchMailOff(
  { database }: ModeServices,
  actor: string,
  { dryRun = false }: { dryRun?: boolean } = {},
): Promise<SwitchOutcome<MailOffEffects, MailOffRefusal>> {
  return database.transaction().execute(async (transaction) => {
    await lockMails(transaction);
    const refusal = mailOffRefusal(await readMode(transaction));
    if (refusal !== null) return { outcome: refusal };
    const effects = await readMailOffEffects(transaction);
    if (dryRun) return { outcome: 'done', effects };
    await recordMode(transaction, 'mail_on', false);
    const dropped = await dropWhileMailIsOff(transaction);
    await recordAudit(transaction, actor, 'mail off', { dropped });
    return { outcome: 'done', effects };
  });
}

/** Switches all processes to confirmation by the link alone. `dryRun` only returns the effects. */
export async function switchToLink(
  { database }: ModeServices,
  actor: string,
  { dryRun = false }: { dryRun?: boolean } = {},
): Promise<SwitchOutcome<LinkEffects, 'link'>> {
  return database.transaction().execute(async (transaction) => {
    await lockMails(transaction);
    if ((await readMode(transaction)).confirmation === 'link') return { outcome: 'link' };
    const effects = await readLinkEffects(transaction);
    if (dryRun) return { outcome: 'done', effects };
    await recordMode(transaction, 'code_on', false);
    await recordAudit(transaction, actor, 'confirmation link', {});
    return { outcome: 'done', effects };
  });
}
