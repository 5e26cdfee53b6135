/** The exit codes, which `studio --help` lists. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  notFound: 3,
  refused: 4,
  unhealthy: 5,
  interrupted: 130,
} as const;

export type Failure = Exclude<keyof typeof exitCodes, 'done'>;

/** A command cannot do what it was asked to. The message is shown to the user as it is. */
export class StaffError extends Error {
  override readonly name = 'StaffError';
  readonly failure: Failure;

  constructor(failure: Failure, message: string) {
    super(message);
    this.failure = failure;
  }
}

export function noSuch(noun: string, id: string): StaffError {
  return new StaffError('notFound', `No ${noun} has the id ${id}.`);
}

/** The only row whose id begins with `id`. Throws `notFound` or, for several, `refused`. */
export function onlyOne<Row extends { id: string }>(
  rows: readonly Row[],
  noun: string,
  id: string,
): Row {
  const [row, another] = rows.filter((each) => each.id.startsWith(id));
  if (row === undefined) throw noSuch(noun, id);
  if (another !== undefined) {
    throw new StaffError('refused', `Several ${noun}s begin with ${id}: give more of the id.`);
  }
  return row;
}

/** What a check of doctor found. */
export interface Finding {
  status: 'ok' | 'warning' | 'failure';
  /** What was found and, unless `ok`, how to repair it. */
  message: string;
}
