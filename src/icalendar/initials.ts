let segmenter: Intl.Segmenter | undefined;

/**
 * The initials of a name: of its first and its last word, `A. P.`, or of its only one, `A.`. An initial
 * is what a reader sees as one character (UAX #29), with its marks. Null for a name without letters or
 * digits, such as an emoji.
 */
export function initialsOf(name: string): string | null {
  const initials = name.split(/\s+/).flatMap((word) => initialOf(word) ?? []);
  const shown = initials.length > 2 ? initials.filter(isFirstOrLast) : initials;
  return shown.length === 0 ? null : shown.map((initial) => `${initial}.`).join(' ');
}

function isFirstOrLast(_: string, index: number, all: readonly string[]): boolean {
  return index === 0 || index === all.length - 1;
}

function initialOf(word: string): string | undefined {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  for (const { segment } of segmenter.segment(word)) {
    if (/[\p{L}\p{N}]/u.test(segment)) return segment.toUpperCase();
  }
  return undefined;
}
