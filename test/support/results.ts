import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { Parser, type FinalResults, type Result } from 'tap-parser';

export interface FileResults {
  passed: number;
  failed: number;
  skipped: number;
  /** The details of each failure. */
  report: string;
}

/** Reads the TAP output of one test file to its end, and counts its assertions. */
export async function readResults(file: string, tap: Readable): Promise<FileResults> {
  const parser = new Parser({ name: file });
  const failures: Result[] = [];
  let passed = 0;
  let skipped = 0;
  parser.on('pass', () => (passed += 1));
  parser.on('skip', () => (skipped += 1));
  parser.on('todo', () => (skipped += 1));
  parser.on('fail', (failure: Result) => failures.push(failure));
  const completed = once(parser, 'complete') as Promise<[FinalResults]>;
  tap.pipe(parser);
  const [results] = await completed;
  const report = failures.map(describe).join('');
  if (results.ok || failures.length > 0) {
    return { passed, failed: failures.length, skipped, report };
  }
  // Such as a broken plan or a bail-out.
  const reason = results.bailout || results.failures.map(({ tapError }) => tapError).join(', ');
  return { passed, failed: 1, skipped, report: `\n  not ok: ${file}\n    ${reason}\n` };
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
