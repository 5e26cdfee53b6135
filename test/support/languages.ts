import {
  isLiteralElement,
  isPluralElement,
  isSelectElement,
  isTagElement,
  type MessageFormatElement,
  parse,
} from '@formatjs/icu-messageformat-parser';
import { printAST } from '@formatjs/icu-messageformat-parser/printer.js';
import { exampleStudio } from '../../src/database/seed.js';
import { en } from '../../src/locales/en.js';
import {
  type Catalogue,
  createLanguage,
  english,
  type Language,
} from '../../src/locales/language.js';
import { createLanguages, type Languages } from '../../src/locales/languages.js';

/**
 * A language of accented English, each word of which is at least 40 % longer. Arguments and tags are as
 * they were. A text outside the catalogue is recognized by its unaccented letters.
 */
export function pseudoLanguage(tag = 'en-XA'): Language {
  const sentences = Object.entries(en).map(([key, text]) => [key, pseudoText(text)]);
  return createLanguage(tag, Object.fromEntries(sentences) as Catalogue, 'en-US');
}

/** English, and the pseudo-language under this tag. */
export function twoLanguages(tag?: string): Languages {
  return createLanguages([english, pseudoLanguage(tag)]);
}

/** A sentence of the catalogue (ICU MessageFormat) in the pseudo-language. */
function pseudoText(text: string): string {
  return printAST(parse(text).map(lengthen));
}

function lengthen(element: MessageFormatElement): MessageFormatElement {
  if (isLiteralElement(element)) {
    // An element keeps its text as it was written, too, and is printed from that.
    const { rawValue: _, ...literal } = element;
    return { ...literal, value: element.value.replaceAll(/\p{L}+/gu, lengthenWord) };
  }
  if (isTagElement(element)) return { ...element, children: element.children.map(lengthen) };
  if (isPluralElement(element) || isSelectElement(element)) {
    const options = Object.entries(element.options).map(([name, option]) => [
      name,
      { ...option, value: option.value.map(lengthen) },
    ]);
    return { ...element, options: Object.fromEntries(options) };
  }
  return element;
}

function lengthenWord(word: string): string {
  const accented = word.replaceAll(/[A-Za-z]/g, (letter) => accents[letter] ?? letter);
  return accented + 'é'.repeat(Math.ceil(word.length * 0.4));
}

const plain = 'ACDEGHIJKLNORSTUWYZacdeghijklnorstuwyz';
const marked = 'ÁÇĎÉĜĤÍĴĶĹŃÓŔŠŤÚŴÝŽáçďéĝĥíĵķĺńóŕšťúŵýž';
const accents: Readonly<Record<string, string>> = Object.fromEntries(
  [...plain].map((letter, index) => [letter, marked[index] ?? letter]),
);

/** What the studio wrote, names of artists and people, days, months and zones: the same in each language. */
const known = new Set(
  wordsIn(
    `${JSON.stringify(exampleStudio)} Ada Park Example Mara Jon Zoë Ben Cleo Dov Eva nobody
    Monday Tuesday Wednesday Thursday Friday Saturday Sunday Mon Tue Wed Thu Fri Sat Sun
    January February March April May June July August September October November December
    Jan Feb Mar Apr Jun Jul Aug Sep Oct Nov Dec Pacific Standard Daylight Time PST PDT`,
  ),
);

/** The words of a text in the pseudo-language that are in plain letters and not known. */
export function plainWords(text: string): string[] {
  const found = wordsIn(text.replaceAll(/\S+@\S+|https?:\S+|[\da-f]{8}-[\da-f-]{27}/g, ''));
  return [...new Set(found)].filter((word) => !known.has(word));
}

function wordsIn(text: string): string[] {
  return text.match(/(?<![\p{L}\d])[A-Za-z]{3,}(?![\p{L}\d])/gu) ?? [];
}
