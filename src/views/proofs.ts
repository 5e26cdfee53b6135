import type { ConfirmationProof } from '../config/config.js';

interface Adversary {
  words: string;
  /** The values of `CONFIRMATION` with which it confirms nothing. */
  stoppedBy: readonly ConfirmationProof[];
}

/**
 * Those who might confirm in place of the person. `test/pages/proofs.test.ts` measures each, and compares
 * the table of the operator's guide with this one. @internal
 */
export const adversaries = {
  script: { words: 'a script with the link', stoppedBy: ['code'] },
  declaredAgent: {
    words: 'a script with the link that sends `Signature-Agent` or an API key',
    stoppedBy: ['link', 'code'],
  },
  browser: { words: 'a browser with the link', stoppedBy: ['code'] },
  mailReader: { words: "a browser with the link and the person's mail", stoppedBy: [] },
  idHolder: { words: "a script with only the booking's id", stoppedBy: ['link', 'code'] },
} as const satisfies Record<string, Adversary>;

const rows: readonly Adversary[] = Object.values(adversaries);

/** The table in Markdown: a row for each adversary, a column for each value of `CONFIRMATION`. */
export function proofTable(): string {
  const outcome = (isStopped: boolean) => (isStopped ? 'stopped' : 'not stopped');
  return [
    '| who tries to confirm | `link` | `code` |',
    '| --- | --- | --- |',
    ...rows.map(
      ({ words, stoppedBy }) =>
        `| ${words} | ${outcome(stoppedBy.includes('link'))} | ${outcome(stoppedBy.includes('code'))} |`,
    ),
  ].join('\n');
}

/** One value's proofs in plain sentences. */
export function proofSentences(proof: ConfirmationProof): string {
  const listed = (isStopped: boolean) =>
    rows
      .filter(({ stoppedBy }) => stoppedBy.includes(proof) === isStopped)
      .map(({ words }) => words.replaceAll('`', ''))
      .join('; ');
  return `It stops: ${listed(true)}. It does not stop: ${listed(false)}.`;
}

/** The time in which a change's code was typed, after the words of the change; '' if unknown. */
export function typedCodeWords(seconds: number | null): string {
  return seconds === null ? '' : ` with a code, typed ${seconds} s after it was sent`;
}
