import pg from 'pg';
import { isDatabaseUnavailable } from '../../platform/database-errors.js';
import type { BackupReader } from './reader.js';

/** By SQLSTATE, or its first two characters (PostgreSQL, Appendix A). */
const problems: Record<string, string> = {
  '22P04': 'the row has not the columns of its table',
  '22': 'a value is not of the type of its column',
  '23502': 'the row lacks a value',
  '23503': 'the row refers to one that the backup has not',
  '23505': 'the row repeats one before it',
  '23': 'the row breaks a rule of its table',
};

/**
 * What PostgreSQL says of rows that it does not take, as a sentence with their line: its own message
 * quotes the values of persons. Other failures are returned as they are.
 */
export function explainCopyError(error: unknown, backup: BackupReader, firstLine: number): unknown {
  if (!(error instanceof pg.DatabaseError) || isDatabaseUnavailable(error)) return error;
  const { code = '', where = '' } = error;
  const problem =
    problems[code] ?? problems[code.slice(0, 2)] ?? `PostgreSQL does not take the row (${code})`;
  // Counted from the first row of the COPY; references are checked after its last one.
  const [, row] = /^COPY \w+, line (\d+)/.exec(where) ?? [];
  return row === undefined
    ? backup.fault(firstLine, `in this or a later line, ${problem}`)
    : backup.fault(firstLine + Number(row) - 1, problem);
}
