import { Type } from '@sinclair/typebox';
import type { Kysely } from 'kysely';
import type { Database } from '../../../database/rows/schema.js';
import { type LeftOut, listLeftOut, readLeftOut } from '../../../repositories/transfer.js';

/** A file beside the data, so that versions that do not know it read the export, too. */
export const leftOutFile = 'left-out.json';

const members = {
  kind: Type.String({ maxLength: 40 }),
  count: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
  names: Type.Array(Type.String({ maxLength: 300 })),
};

export const leftOutSchema = Type.Array(Type.Object(members, { additionalProperties: false }), {
  title: 'What this export leaves out, and has to be made again',
});

/** The data that the imported export left out and that are missing. `of`: how many were left out. */
export async function listMissing(
  database: Kysely<Database>,
): Promise<(LeftOut & { of: number })[]> {
  const present = new Map((await listLeftOut(database)).map((each) => [each.kind, each]));
  return (await readLeftOut(database)).flatMap(({ kind, count, names }) => {
    const same: Omit<LeftOut, 'kind'> = present.get(kind) ?? { count: 0, names: [] };
    const left = names.filter((name) => !same.names.includes(name));
    // Callers make some of these, too: a name shows the studio's.
    const missing = names.length > 0 ? left.length : count - same.count;
    return missing > 0 ? [{ kind, count: missing, of: count, names: left }] : [];
  });
}
