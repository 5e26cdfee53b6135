import { StaffError } from './failure.js';

/** The only row that was found for an id prefix. Throws `notFound` or, for several, `refused`. */
export function onlyOne<Row extends { id: string }>(
  rows: readonly Row[],
  noun: string,
  id: string,
): Row {
  const [row, another] = rows;
  if (row === undefined) throw new StaffError('notFound', `No ${noun} has the id ${id}.`);
  if (another !== undefined) {
    throw new StaffError('refused', `Several ${noun}s begin with ${id}: give more of the id.`);
  }
  return row;
}
