import pg from 'pg';
import { isDatabaseUnavailable } from '../../platform/database-errors.js';
import type { BackupReader } from './reader.js';

/** By SQLSTATE, or its first two characters (PostgreSQL, Appendix A). */
const problems: Record<string, string> = {
  '22P04': 'the row does not have the columns of its table',
  '22': 'a value does not have the type of its column',
  '23502': 'the row lacks a required value',
  '23503': 'the row references a row that is not in the backup',
  '23505': 'the row duplicates an earlier one',
  '23': 'the row violates a constraint of its table',
};

/**
 * Turns PostgreSQL's error for a rejected row into a sentence with the row's line: PostgreSQL's own
 * message quotes personal data. Returns other errors as they are.
 */
export function explainCopyError(error: unknown, backup: BackupReader, firstLine: number): unknown {
  if (!(error instanceof pg.DatabaseError) || isDatabaseUnavailable(error)) return error;
  const { code = '', where = '' } = error;
  const problem =
    problems[code] ?? problems[code.slice(0, 2)] ?? `PostgreSQL rejects the row (${code})`;
  // COPY counts from its first row. Foreign keys are checked after its last row, without a line.
  const [, row] = /^COPY \w+, line (\d+)/.exec(where) ?? [];
  return row === undefined
    ? backup.errorAt(firstLine, `in this or a later line, ${problem}`)
    : backup.errorAt(firstLine + Number(row) - 1, problem);
}
