import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inlineModules } from '../../web/inline-modules.js';
import { packageRoot } from '../../platform/package-root.js';

/**
 * The document of the view, in one piece: hosts allow it to load nothing. Comments and indentation
 * are left out, because every chat that shows the view transfers it.
 */
export function slotsViewHtml(): string {
  const folder = join(packageRoot(), 'src', 'mcp', 'view', 'page');
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  const script = inlineModules(read('main.js'), folder);
  return compact(
    read('page.html')
      .replace('/* page.css */', () => read('page.css'))
      .replace('/* main.js */', () => script),
  );
}

/** Without the indentation, empty lines, and the comments that begin a line. */
function compact(text: string): string {
  return text
    .replace(/^\s*\/\*(?:(?!\*\/)[^])*\*\/\n/gm, '')
    .replace(/^\s*\/\/.*\n/gm, '')
    .replace(/^\s+/gm, '');
}
