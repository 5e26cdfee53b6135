import { InvalidArgumentError } from 'commander';
import { findApiKeys, type KeySelection, revokeApiKeys } from '../../access/api-keys.js';
import type { ApiKeyRow } from '../../database/rows/schema.js';
import { listStudioKeys } from '../../domain/studio/lists.js';
import { isCredential } from '../../secrets/tokens.js';
import { email, idPrefix } from '../arguments.js';
import type { StaffCommand } from '../command.js';
import { onlyOne, StaffError } from '../failure.js';
import type { StaffServices } from '../session.js';
import { count, shortId, table } from '../text.js';

export function addKeyCommands(program: StaffCommand): void {
  const keys = program.command('keys').concerns('owner').description('API keys of agents');

  keys
    .command('list')
    .description('list API keys, newest first')
    .option('--email <address>', 'only this e-mail address', email)
    .withLimit('keys', 100_000, 100)
    .explain('\nExamples:\n  studio keys list\n  studio keys list --email ada@example.com')
    .run(async ({ services, at, print }, options: { email?: string; limit: number }) => {
      const { rows } = await listStudioKeys(services, options);
      print(rows.map(keyData), () =>
        table(
          ['ID', 'E-MAIL', 'LABEL', 'CREATED', 'LAST USED', 'REVOKED'],
          rows.map((row) => [
            shortId(row.id),
            row.email,
            row.label ?? '',
            at(row.created_at),
            at(row.last_used_at),
            at(row.revoked_at),
          ]),
          'No API keys.',
        ),
      );
    });

  keys
    .command('revoke')
    .description('revoke one API key, or all keys of an e-mail address')
    .argument(
      '<which>',
      'an id or the first characters of one, an e-mail address, or the key itself',
      selection,
    )
    .explain(`
Requests with a revoked key are served with the limits of callers without a key.

Examples:
  studio keys revoke 5d0c8a11
  studio keys revoke ada@example.com --yes`)
    .run(async ({ services, actor, confirm, print }, which: KeySelection) => {
      const found = await findLive(services, which);
      const owners = [...new Set(found.map((row) => row.email))].join(', ');
      await confirm(`Revoke ${count(found.length, 'API key')} of ${owners}?`);
      const ids = found.map(({ id }) => id);
      const revoked = await revokeApiKeys(services, actor, ids);
      print({ revoked }, () => [`Revoked: ${count(revoked.length, 'API key')}.`]);
    });
}

function keyData({ id, email: address, label, created_at, last_used_at, revoked_at }: ApiKeyRow) {
  return { id, email: address, label, created_at, last_used_at, revoked_at };
}

function selection(text: string): KeySelection {
  if (text.includes('@')) return { email: email(text) };
  if (isCredential('tsk', text)) return { key: text };
  if (text.startsWith('tsk_')) throw new InvalidArgumentError('The key is incomplete or mistyped.');
  try {
    return { idPrefix: idPrefix(text) };
  } catch {
    throw new InvalidArgumentError(
      'Give an id, or at least its first four characters, an e-mail address, or the key itself.',
    );
  }
}

async function findLive(services: StaffServices, which: KeySelection): Promise<ApiKeyRow[]> {
  const found = await findApiKeys(services, which);
  if ('idPrefix' in which) onlyOne(found, 'API key', which.idPrefix);
  if (found.length === 0) throw new StaffError('not_found', 'There is no such API key.');
  const live = found.filter((row) => row.revoked_at === null);
  if (live.length === 0) throw new StaffError('refused', 'It is already revoked.');
  return live;
}
