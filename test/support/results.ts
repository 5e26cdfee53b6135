import { Parser, type Result } from 'tap-parser';

export interface Totals {
  passed: number;
  failed: number;
  skipped: number;
}

/**
 * Reads a run's raw TAP, writes a line per test file and the details of each failure, and adds up
 * assertions. A file that fails without a failed assertion (a crash, a broken plan) counts as one.
 */
export function readResults(totals: Totals, write: (text: string) => void): Parser {
  let failures: Result[] = [];
  let lastFile: Result | undefined;
  const parser = new Parser();
  parser.on('pass', () => (totals.passed += 1));
  parser.on('skip', () => (totals.skipped += 1));
  parser.on('todo', () => (totals.skipped += 1));
  parser.on('fail', (failure: Result) => {
    if (failure !== lastFile) failures.push(failure);
  });
  parser.on('bailout', (reason: string) => {
    totals.failed += 1;
    write(`  stopped: ${reason}\n`);
  });
  // Only the files themselves are assertions of the outermost level.
  parser.on('assert', (result: Result) => {
    lastFile = result;
    if (!result.ok && failures.length === 0) failures = [result];
    totals.failed += failures.length;
    const seconds = ((result.time ?? 0) / 1000).toFixed(1);
    write(`${failures.length > 0 ? 'FAIL' : 'ok'}  ${result.name} (${seconds} s)\n`);
    for (const failure of failures) write(describe(failure));
    failures = [];
  });
  return parser;
}

function describe(failure: Result): string {
  const details = failure.diag === null ? '' : formatDetails(failure.diag);
  return `\n  not ok: ${failure.fullname || failure.name}\n${details}\n`;
}

function formatDetails(details: Record<string, unknown>): string {
  const lines = Object.entries(details).flatMap(([name, value]) => {
    const text = typeof value === 'string' ? value.trimEnd() : JSON.stringify(value);
    return text.includes('\n')
      ? [`${name}:`, ...text.split('\n').map((line) => `  ${line}`)]
      : [`${name}: ${text}`];
  });
  return lines.map((line) => `    ${line}\n`).join('');
}
