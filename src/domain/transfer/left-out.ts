import { Type } from '@sinclair/typebox';
import type { Kysely } from 'kysely';
import { Enum } from '../../../generated/schemas.js';
import type { Database } from '../../database/schema.js';
import type { DatabaseServices } from '../../database/services.js';
import { recordAudit } from '../../repositories/audit.js';
import {
  type LeftOut,
  listLeftOut,
  readLeftOut,
  recordLeftOut,
} from '../../repositories/transfer.js';

/** A file beside the data, so that versions that do not know it read the export, too. */
export const leftOutFile = 'left-out.json';

const kinds: LeftOut['kind'][] = [
  'API key',
  'calendar feed',
  'passkey',
  'platform',
  'watched calendar',
  'webhook',
];

export const leftOutSchema = Type.Array(
  Type.Object(
    {
      kind: Enum('string', kinds),
      count: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
      names: Type.Array(Type.String({ maxLength: 300 })),
    },
    { additionalProperties: false },
  ),
  { title: 'What this export leaves out, and has to be made again', maxItems: kinds.length },
);

/** What is still missing of it: `of` were left out. */
export type Missing = LeftOut & { of: number };

/** What an imported export left out and is not there again; nothing once that was dismissed. */
export async function listMissing(database: Kysely<Database>): Promise<Missing[]> {
  const present = await listLeftOut(database);
  return (await readLeftOut(database)).flatMap(({ kind, count: of, names }) => {
    const same = present.find((each) => each.kind === kind);
    const count = of - (same?.count ?? 0);
    return count > 0
      ? [{ kind, count, of, names: names.filter((name) => same?.names.includes(name) !== true) }]
      : [];
  });
}

/** Lets nobody be told any more of what is missing. */
export async function dismissLeftOut(
  { database }: Pick<DatabaseServices, 'database'>,
  actor: string,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await recordLeftOut(transaction, null);
    await recordAudit(transaction, actor, 'left-out dismiss', {});
  });
}
