import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectRoot } from './project.js';

/** The anchors of a document's headings, as GitHub makes them. */
export function headingAnchors(markdown: string): string[] {
  const prose = markdown.replace(/^ *```[^]*?^ *```$/gm, '');
  return Array.from(prose.matchAll(/^#+ (.+)$/gm), ([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** The documents for the studio and for the operator, by path. */
export async function readGuides(): Promise<Map<string, string>> {
  const guides = new Map<string, string>();
  for (const folder of ['src/staff', 'scripts/operations']) {
    for (const name of await readdir(join(projectRoot, folder))) {
      if (!name.endsWith('.md')) continue;
      guides.set(`${folder}/${name}`, await readFile(join(projectRoot, folder, name), 'utf8'));
    }
  }
  return guides;
}
