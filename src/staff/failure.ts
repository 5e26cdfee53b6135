/** The exit codes, which `studio --help` lists. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  not_found: 3,
  refused: 4,
  unhealthy: 5,
  interrupted: 130,
} as const;

/** Also the `code` of a failure that is printed as JSON. */
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
  return new StaffError('not_found', `No ${noun} has the id ${id}.`);
}

/** The only row whose id begins with `id`. Throws `not_found` or, for several, `refused`. */
export function onlyOne<Row extends { id: string }>(
  rows: readonly Row[],
  noun: string,
  id: string,
): Row {
  const [row, another] = rows.filter((each) => each.id.startsWith(id));
  if (row === undefined) throw noSuch(noun, id);
  if (another !== undefined) {
    throw new StaffError(
      'refused',
      `The id of more than one ${noun} begins with ${id}: give more of it.`,
    );
  }
  return row;
}

/** The result of a check of doctor. */
export interface Finding {
  status: 'ok' | 'warning' | 'failure';
  /** The result in words and, unless `ok`, its remedy. */
  message: string;
}

export const ok = (message: string): Finding => ({ status: 'ok', message });
export const warning = (message: string): Finding => ({ status: 'warning', message });
export const failure = (message: string): Finding => ({ status: 'failure', message });

/** A warning of the problems; where there are none, that all is `fine`. */
export function warningOf(problems: readonly (string | false)[], fine: string): Finding {
  const found = problems.filter((problem) => problem !== false);
  return found.length > 0 ? warning(found.join(' ')) : ok(fine);
}
