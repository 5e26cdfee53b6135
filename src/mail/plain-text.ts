import { compile, type FormatCallback, type HtmlToTextOptions } from 'html-to-text';

const term: FormatCallback = (element, walk, builder) => {
  walk(element.children, builder);
  builder.addInline(': ', { noWordTransform: true });
};

const space: FormatCallback = (_element, _walk, builder) => builder.addInline(' ');
const at: FormatCallback = (_element, _walk, builder) => builder.addInline(' at ');

const inline = { format: 'inline' };
const paragraph = { format: 'block', options: { leadingLineBreaks: 2, trailingLineBreaks: 2 } };
const heading = { format: 'block', options: { leadingLineBreaks: 3, trailingLineBreaks: 2 } };
const line = { format: 'block', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } };

const options: HtmlToTextOptions = {
  wordwrap: 78,
  formatters: { term, space, at },
  baseElements: { selectors: ['body'] },
  // A mail has less; a hostile one stays affordable.
  limits: { maxInputLength: 200_000 },
  selectors: [
    { selector: '.preview', format: 'skip' },
    { selector: '.moon', format: 'skip' },
    { selector: 'h1', ...paragraph },
    { selector: 'h2', ...heading },
    { selector: 'h3', ...line },
    { selector: 'table', ...paragraph },
    { selector: 'tr', ...line },
    { selector: 'td', ...inline },
    { selector: 'td.term', format: 'term' },
    { selector: 'br.space', format: 'space' },
    { selector: 'br.at', format: 'at' },
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true, linkBrackets: ['<', '>'] } },
    { selector: 'a[href^="tel:"]', ...inline },
  ],
};

let convert: ((html: string) => string) | undefined;

/** A mail's HTML as plain text, so that both say the same. */
export function plainText(html: string): string {
  convert ??= compile(options);
  return `${convert(html).trim()}\n`;
}
