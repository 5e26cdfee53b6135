import { fileURLToPath } from 'node:url';
import { packageRoot } from '../../src/platform/package-root.js';

/** The folder of package.json. The tests themselves run in dist/tests, compiled. */
export const projectRoot = packageRoot();

/** The compiled file of a source, such as `src/main.ts`, to start as a process. */
export function compiledFile(source: string): string {
  const file = source.replace(/\.tsx?$/, '.js');
  return fileURLToPath(new URL(`../../${file}`, import.meta.url));
}
