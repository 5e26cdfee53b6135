import { english, type Language } from './language.js';

/**
 * The languages that the person's pages and mails speak. With one there is no choice: no cookie, no
 * `Vary`, nothing stored.
 */
export interface Languages {
  /** English first. */
  readonly all: readonly Language[];
  /** The language with the tag (BCP 47, in any letter case); null if there is none. */
  find(tag: string | null | undefined): Language | null;
  /** The first that a range of `Accept-Language` leads to: lookup (RFC 4647, 3.4). */
  lookup(ranges: readonly string[]): Language | null;
  /** The tag to store of a person's language; null where there is one language. */
  chosenTag(language: Language): string | null;
}

export function createLanguages(all: readonly Language[] = [english]): Languages {
  const byTag = new Map(all.map((language) => [language.tag.toLowerCase(), language]));
  const find = (tag: string | null | undefined) => byTag.get(tag?.toLowerCase() ?? '') ?? null;
  return {
    all,
    find,
    lookup: (ranges) => {
      for (const range of ranges) {
        for (let tag = range; tag !== ''; tag = shortened(tag)) {
          const found = find(tag);
          if (found !== null) return found;
        }
      }
      return null;
    },
    chosenTag: ({ tag }) => (all.length === 1 ? null : tag),
  };
}

/** A range without its last subtag, nor a single letter that would then be last. */
function shortened(range: string): string {
  return range.includes('-') ? range.replace(/(?:-[^-])?-[^-]*$/, '') : '';
}
