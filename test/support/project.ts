import { fileURLToPath } from 'node:url';
import { packageRoot } from '../../src/platform/package-root.js';

/** The folder of package.json. The tests themselves run in dist/tests, compiled. */
export const projectRoot = packageRoot();

/** The compiled file of a source, such as `scripts/demo.ts`, to start as a process. */
export function compiledFile(source: string): string {
  return fileOfRun(source.replace(/\.tsx?$/, '.js'));
}

/** A program of the service as `npm start` runs it: bundled. */
export function bundledProgram(name: 'main' | 'studio'): string {
  return fileOfRun(`bundle/${name}.js`);
}

function fileOfRun(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url));
}
