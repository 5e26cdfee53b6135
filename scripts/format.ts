import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format, type FormatConfig } from 'oxfmt';
import { packageRoot } from '../src/platform/package-root.js';

/** The text as `npm run format` formats a file of this name. */
export async function formatText(fileName: string, text: string): Promise<string> {
  const settings = await readFile(join(packageRoot(), '.oxfmtrc.json'), 'utf8');
  const { code, errors } = await format(fileName, text, JSON.parse(settings) as FormatConfig);
  if (errors.length > 0) throw new Error(`${fileName}: ${errors[0]?.message}`);
  return code;
}
