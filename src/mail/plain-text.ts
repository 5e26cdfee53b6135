import { compile, type FormatCallback, type HtmlToTextOptions } from 'html-to-text';

const term: FormatCallback = (element, walk, builder) => {
  walk(element.children, builder);
  builder.addInline(': ', { noWordTransform: true });
};

/** Keeps text on one line, however long: a name must not begin a line that reads as another fact. */
const unwrapped: FormatCallback = (element, walk, builder) => {
  builder.startNoWrap();
  walk(element.children, builder);
  builder.stopNoWrap();
};

/** Keeps the text after it, too: a mark after it would otherwise break before its last word. */
const unwrappedToEnd: FormatCallback = (element, walk, builder) => {
  builder.startNoWrap();
  walk(element.children, builder);
};

const space: FormatCallback = (_element, _walk, builder) => builder.addInline(' ');

const inline = { format: 'inline' };
const paragraph = block(2, 2);

/** Line breaks before and after; between two blocks, the larger number applies. */
function block(leadingLineBreaks: number, trailingLineBreaks: number) {
  return { format: 'block', options: { leadingLineBreaks, trailingLineBreaks } };
}

const options: HtmlToTextOptions = {
  wordwrap: 78,
  formatters: { term, unwrapped, unwrappedToEnd, space },
  baseElements: { selectors: ['body'] },
  // Mails are far shorter; this bounds the time of a conversion.
  limits: { maxInputLength: 200_000 },
  selectors: [
    { selector: '.preview', format: 'skip' },
    { selector: '.moon', format: 'skip' },
    { selector: 'h1', ...paragraph },
    { selector: 'h2', ...block(3, 2) },
    { selector: 'h3', ...block(2, 1) },
    { selector: '.when', ...block(2, 1) },
    { selector: '.zone', ...block(1, 2) },
    { selector: '.notice', ...block(1, 2) },
    // A mark before each line keeps a person's words from looking like facts.
    { selector: '.quoted', format: 'blockquote', options: block(1, 1).options },
    { selector: 'bdi', format: 'unwrapped' },
    { selector: 'bdi.typed', format: 'unwrappedToEnd' },
    { selector: '.address', ...block(3, 1) },
    { selector: '.reach', ...block(1, 1) },
    { selector: 'table', ...paragraph },
    { selector: 'tr', ...block(1, 1) },
    { selector: 'td', ...inline },
    { selector: 'td.term', format: 'term' },
    { selector: 'br.space', format: 'space' },
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true, linkBrackets: ['<', '>'] } },
    { selector: 'a[href^="tel:"]', ...inline },
  ],
};

let convert: ((html: string) => string) | undefined;

/**
 * Converts a mail's HTML to plain text, so that both agree. Styles, half of it, are removed before it is
 * parsed: quotes are escaped everywhere else, so the pattern matches nothing else.
 */
export function plainText(html: string): string {
  convert ??= compile(options);
  const body = html.slice(html.indexOf('<body')).replace(/ style="[^"]*"/g, '');
  return `${convert(body).trim()}\n`;
}
