import { IntlMessageFormat } from 'intl-messageformat';
import { LRUCache } from 'lru-cache';
import type { ComponentChildren } from 'preact';
import type { MessageArguments } from '../../generated/messages.js';
import { en } from './en.js';

export type MessageKey = keyof MessageArguments;

/** The sentences of a language, by key. A language that lacks one does not compile. */
export type Catalogue = Readonly<Record<MessageKey, string>>;

/** Makes the element of a tag in a sentence, with the words in it. */
export type MessageElement = (words: ComponentChildren) => ComponentChildren;

type Arguments<Key extends MessageKey, Text, Element> = keyof MessageArguments[Key] extends never
  ? []
  : [values: MessageArguments<Text, Element>[Key]];

/** A language that pages and mails are written in. */
export interface Language {
  /** BCP 47, as in `lang`. */
  readonly tag: string;
  /** The sentence of a key, as text. */
  readonly t: <Key extends MessageKey>(
    key: Key,
    ...values: Arguments<Key, string, never>
  ) => string;
  /** The sentence of a key, with elements as arguments, and for its tags. */
  readonly rich: <Key extends MessageKey>(
    key: Key,
    ...values: Arguments<Key, ComponentChildren, MessageElement>
  ) => ComponentChildren;
  /** A formatter of dates and times; made once, since one costs far more to make than to use. */
  readonly dates: (options: Intl.DateTimeFormatOptions) => Intl.DateTimeFormat;
  /** A number with the language's separators: `2,000`. */
  readonly number: (value: number) => string;
  /** A short list: `Monday, 9:00 AM`. */
  readonly list: (values: readonly string[]) => string;
  /** Elements as alternatives, by their words: `Mara, Ana or Kit`. */
  readonly alternatives: (
    words: readonly string[],
    elements: readonly ComponentChildren[],
  ) => readonly ComponentChildren[];
}

/**
 * `locale`: for dates, numbers and plurals, where it differs from the tag. A sentence is parsed when it
 * is first used. @internal
 */
export function createLanguage(tag: string, catalogue: Catalogue, locale = tag): Language {
  const messages = new Map<MessageKey, string | IntlMessageFormat>();
  const dateFormats = new LRUCache<string, Intl.DateTimeFormat>({ max: 128 });
  const numberFormat = once(() => new Intl.NumberFormat(locale));
  // American English would put a comma before `or`.
  const either = once(
    () => new Intl.ListFormat(tag === 'en' ? 'en-001' : locale, { type: 'disjunction' }),
  );
  const shortList = once(() => new Intl.ListFormat(locale, { style: 'narrow' }));
  // Shared by all sentences; by default each would make its own.
  const formatters = {
    getNumberFormat: numberFormat,
    getPluralRules: once(() => new Intl.PluralRules(locale)),
    getDateTimeFormat: () => {
      throw new Error('a sentence takes dates as text (timesIn)');
    },
  };
  const messageOf = (key: MessageKey): string | IntlMessageFormat => {
    const known = messages.get(key);
    if (known !== undefined) return known;
    const text = catalogue[key];
    const message = /['{}<]/.test(text)
      ? new IntlMessageFormat(text, locale, undefined, { formatters })
      : text;
    messages.set(key, message);
    return message;
  };
  const format = (key: MessageKey, values?: object): ComponentChildren => {
    const message = messageOf(key);
    // Most are plain text, as they stand.
    if (typeof message === 'string') return message;
    return message.format<ComponentChildren>(values as Record<string, string> | undefined);
  };
  return {
    tag,
    t: (key, ...[values]) => format(key, values) as string,
    rich: (key, ...[values]) => format(key, values),
    dates: (options) => {
      const key = JSON.stringify(options);
      const known = dateFormats.get(key);
      if (known !== undefined) return known;
      const made = new Intl.DateTimeFormat(locale, options);
      dateFormats.set(key, made);
      return made;
    },
    number: (value) => numberFormat().format(value),
    alternatives: (words, elements) => {
      const each = elements.values();
      return either()
        .formatToParts(words)
        .map(({ type, value }) => (type === 'element' ? each.next().value : value));
    },
    list: (values) => shortList().format(values),
  };
}

/** A formatter that is made when it is first used: that of numbers takes 25 ms and 6 MB. */
export function once<Made>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => (made ??= make());
}

export const english = createLanguage('en', en, 'en-US');
