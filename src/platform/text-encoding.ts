import { isUtf8 } from 'node:buffer';

/** The index of the WHATWG from 0x80 to 0x9F. Node.js decodes `windows-1252` as Latin-1 (20.18.3). */
const windows1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Decodes UTF-8, or Windows-1252 where the bytes are not UTF-8. A byte order mark is left out. */
export function decodeText(bytes: Uint8Array): string {
  if (isUtf8(bytes)) return new TextDecoder().decode(bytes);
  return Buffer.from(bytes)
    .toString('latin1')
    .replace(/[\x80-\x9f]/g, (byte) => windows1252.charAt(byte.charCodeAt(0) - 0x80));
}

/** The sample that shows whether a text without a byte order mark is in UTF-16. */
const sampleBytes = 2_048;

/** The text in UTF-8, if it is in UTF-16 with a byte order mark, or evidently; otherwise the bytes. */
export function utf8FromUtf16(bytes: Uint8Array): Uint8Array {
  const encoding = utf16Of(bytes);
  return encoding === null ? bytes : Buffer.from(new TextDecoder(encoding).decode(bytes));
}

/** The form of UTF-16 by its zeros: they are every second byte of ASCII, which headings mostly are. */
function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const sample = bytes.subarray(0, sampleBytes);
  const zeros = (parity: number) =>
    sample.filter((byte, index) => byte === 0 && index % 2 === parity).length;
  const [even, odd] = [zeros(0), zeros(1)];
  if (Math.max(even, odd) < sample.length / 4) return null;
  if (odd > 8 * even) return 'utf-16le';
  return even > 8 * odd ? 'utf-16be' : null;
}
