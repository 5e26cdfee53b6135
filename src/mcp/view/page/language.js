/** The language of the view, which the build puts into the document (scripts/bundle.js). */
import { element } from '../../../web/browser/element.js';

/**
 * @typedef {import('../../../../generated/messages.js').MessageArguments} MessageArguments
 * @typedef {string | (string | [name: string, options?: Record<string, Message>])[]} Message text,
 *   or its parts: text, arguments, and arguments that choose a message
 */

/** @type {{ locale: string, messages: Record<string, Message> }} */
const { locale, messages } = JSON.parse(element('language').textContent ?? '');
const pluralRules = new Intl.PluralRules(locale);

export { locale };

/**
 * The sentence of a key. The document has the sentences whose keys stand in the script as literals.
 * @template {keyof MessageArguments} Key
 * @param {Key} key
 * @param {keyof MessageArguments[Key] extends never ? [] : [values: MessageArguments[Key]]} values
 */
export function t(key, ...[values]) {
  return format(messages[key], values ?? {});
}

/**
 * @param {Message | undefined} message
 * @param {Record<string, string | number>} values
 * @returns {string}
 */
function format(message = '', values) {
  if (typeof message === 'string') return message;
  const parts = message.map((part) => {
    if (typeof part === 'string') return part;
    const [name, options] = part;
    const value = values[name] ?? '';
    if (options === undefined) return String(value);
    const option = typeof value === 'number' ? pluralRules.select(value) : value;
    return format(options[`=${value}`] ?? options[option] ?? options['other'], values);
  });
  return parts.join('');
}
