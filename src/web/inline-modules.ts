import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const importStatement = /^import [^;]* from '(\.{1,2}\/[\w./-]+\.js)';$/gm;

/**
 * Replaces the relative imports of a browser script, which lies in `folder`, by the modules'
 * content, each once: one file loads faster than several. All share one scope, so their top-level
 * names must differ.
 */
export function inlineModules(script: string, folder: string, seen = new Set<string>()): string {
  return script.replace(importStatement, (_match, file: string) => {
    const path = join(folder, file);
    if (seen.has(path)) return '';
    seen.add(path);
    const content = readFileSync(path, 'utf8').replace(/^export /gm, '');
    return inlineModules(content, dirname(path), seen);
  });
}
