import { english, type Language } from './language.js';

/** The languages that the person's pages and mails speak. With one there is no choice: no cookie, no `Vary`, nothing stored. */
export interface Languages {
  /** English first. */
  readonly all: readonly Language[];
  /** The language with the tag (BCP 47); null if there is none. */
  find(tag: string | null | undefined): Language | null;
  /** The tag to store of a person's language; null where there is one language. */
  chosenTag(language: Language): string | null;
}

export function createLanguages(all: readonly Language[] = [english]): Languages {
  const byTag = new Map(all.map((language) => [language.tag, language]));
  return {
    all,
    find: (tag) => (tag == null ? null : (byTag.get(tag) ?? null)),
    chosenTag: ({ tag }) => (all.length === 1 ? null : tag),
  };
}
