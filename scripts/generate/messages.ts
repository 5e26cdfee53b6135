import {
  isArgumentElement,
  isNumberElement,
  isPluralElement,
  isSelectElement,
  isTagElement,
  type MessageFormatElement,
  parse,
} from '@formatjs/icu-messageformat-parser';
import { en } from '../../src/locales/en.js';

/** The file with the arguments of each sentence, as types, from the English catalogue. */
export function emitMessages(): string {
  const members = Object.entries(en).map(([key, text]) => {
    const fields = [...argumentsOf(text)].map(([name, type]) => `${name}: ${type};`);
    return `'${key}': { ${fields.join(' ')} };`;
  });
  return `// Made from src/locales/en.ts by \`npm run generate\`; never edited by hand.

/** The arguments of each sentence, by its key. */
export interface MessageArguments<Text = string, Element = never> {
  ${members.join('\n')}
}
`;
}

/** The arguments of a sentence and their types. Throws if it is no message. */
export function argumentsOf(text: string): Map<string, string> {
  const types = new Map<string, string>();
  collect(parse(text), types);
  return types;
}

function collect(elements: readonly MessageFormatElement[], types: Map<string, string>): void {
  for (const element of elements) {
    if (isArgumentElement(element) && !types.has(element.value)) types.set(element.value, 'Text');
    if (isNumberElement(element)) types.set(element.value, 'number');
    if (isTagElement(element)) {
      types.set(element.value, 'Element');
      collect(element.children, types);
    }
    if (isPluralElement(element) || isSelectElement(element)) {
      const names = Object.keys(element.options).map((name) => `'${name}'`);
      types.set(element.value, isPluralElement(element) ? 'number' : names.join(' | '));
      for (const option of Object.values(element.options)) collect(option.value, types);
    }
  }
}
