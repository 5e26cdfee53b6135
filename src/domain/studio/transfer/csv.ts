import { unseen } from '../../booking/person.js';

/**
 * The places where a spreadsheet that separates by any of `, ; tab |` would find a formula, behind quotes
 * and what cannot be seen. Line breaks separate, too: a quote counts only at the beginning of a cell. The
 * order keeps the time linear: what comes before is looked at only where a formula's character follows.
 */
const before = String.raw`(?:^|[,;\t|\r\n])[${unseen}"]*`;
const formula = String.raw`(?='*[=+\-@＝＋－＠])`;
const unguarded = new RegExp(String.raw`(?<!')${formula}(?<=${before})`, 'gu');
const guard = new RegExp(String.raw`(?<!')'${formula}(?<=${before}')`, 'gu');

/**
 * A line of comma-separated values (RFC 4180). Names and ideas are untrusted: an apostrophe precedes what
 * a spreadsheet would evaluate (CSV injection), and `withoutGuards` takes it away.
 */
export function csvLine(values: readonly string[]): string {
  const fields = values.map((value) => {
    const text = value.replace(unguarded, "'");
    return /[",;\t|\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  });
  return `${fields.join(',')}\r\n`;
}

/** The text of a cell that `csvLine` has written. */
export function withoutGuards(cell: string): string {
  return cell.replace(guard, '');
}
