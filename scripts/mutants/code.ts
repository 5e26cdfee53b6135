import { importTool, installTools } from '../../test/support/tools.js';
import type { Candidate } from './mutant.js';

interface StrykerInstrumenter {
  Instrumenter: new (log: typeof logger) => {
    instrument(
      files: { name: string; content: string; mutate: true }[],
      options: { plugins: null; excludedMutations: string[]; ignorers: [] },
    ): Promise<{
      files: { name: string; content: string }[];
      mutants: {
        id: string;
        fileName: string;
        location: Record<'start' | 'end', { line: number; column: number }>;
        mutatorName: string;
        replacement: string;
        status?: string;
      }[];
    }>;
  };
}

/** Texts, and objects that are mostly options: other words are no other behaviour. */
const excludedMutations = ['StringLiteral', 'ObjectLiteral'];
const silent = () => undefined;
const logger = {
  ...{ isTraceEnabled: () => false, isDebugEnabled: () => false, isInfoEnabled: () => false },
  ...{ isWarnEnabled: () => false, isErrorEnabled: () => false, isFatalEnabled: () => false },
  ...{ trace: silent, debug: silent, info: silent, warn: silent, error: silent, fatal: silent },
};

export interface Instrumented {
  candidates: Candidate[];
  /** The code with a switch per candidate, and counters of what is reached, by file. */
  files: Map<string, string>;
}

/** All mutants that StrykerJS makes of these files (texts by path). */
export async function instrument(texts: Map<string, string>): Promise<Instrumented> {
  installTools();
  const { Instrumenter } = await importTool<StrykerInstrumenter>('@stryker-mutator/instrumenter');
  const { files, mutants } = await new Instrumenter(logger).instrument(
    [...texts].map(([name, content]) => ({ name, content, mutate: true })),
    { plugins: null, excludedMutations, ignorers: [] },
  );
  const starts = new Map([...texts].map(([file, text]) => [file, lineStarts(text)]));
  // StrykerJS lists what it leaves out, too; the code has no switch for it.
  const made = mutants.filter(({ status }) => status !== 'Ignored');
  const candidates = made.map(({ id, fileName: file, location, mutatorName, replacement }) => {
    const offset = ({ line, column }: { line: number; column: number }) =>
      (starts.get(file)?.[line] ?? 0) + column;
    const [start, end] = [offset(location.start), offset(location.end)];
    const original = texts.get(file)?.slice(start, end) ?? '';
    const mutator = mutatorName;
    const line = location.start.line + 1;
    return { file, line, start, end, mutator, original, replacement, switchId: id };
  });
  return { candidates, files: new Map(files.map(({ name, content }) => [name, content])) };
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}
