import {
  isLiteralElement,
  isPluralElement,
  isSelectElement,
  isTagElement,
  type MessageFormatElement,
  parse,
} from '@formatjs/icu-messageformat-parser';
import { printAST } from '@formatjs/icu-messageformat-parser/printer.js';
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
 * they were. A sentence that stands in no catalogue shows by its plain letters.
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
