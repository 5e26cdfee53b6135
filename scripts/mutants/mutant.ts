import { createHash } from 'node:crypto';

export interface Mutant {
  /** Stable as long as the mutated text and its surroundings in the file stay. */
  key: string;
  /** From the project's folder. */
  file: string;
  line: number;
  /** Offsets in the text of the file. */
  start: number;
  end: number;
  mutator: string;
  original: string;
  replacement: string;
  /** Of the switch in the instrumented code; null where the file is compiled again instead. */
  switchId: string | null;
}

export type Candidate = Omit<Mutant, 'key'>;

/** The `count` candidates that the seed ranks first: edits elsewhere do not change the others. */
export function draw(candidates: Candidate[], count: number, seed: string): Mutant[] {
  const seen = new Map<string, number>();
  const keyed = candidates.map((candidate) => {
    const { file, mutator, original, replacement } = candidate;
    const text = [seed, file, mutator, original, replacement].join('\n');
    const nth = seen.get(text) ?? 0;
    seen.set(text, nth + 1);
    const key = createHash('sha256').update(`${text}\n${nth}`).digest('hex').slice(0, 12);
    return { ...candidate, key };
  });
  return keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).slice(0, count);
}
