import { access, readFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import t from 'tap';
import { projectRoot } from '../support/project.js';

const documents = [
  'CHANGELOG.md',
  'README.md',
  'scripts/agents/README.md',
  'scripts/bench/README.md',
  'scripts/bench/growth.md',
  'scripts/container/README.md',
  'src/client/README.md',
  'src/staff/README.md',
  'test/README.md',
];

/** The text of a document without its code, in which brackets and `#` mean something else. */
async function readProse(path: string): Promise<string> {
  const text = await readFile(join(projectRoot, path), 'utf8');
  return text
    .replace(/^ *```[^]*?^ *```$/gm, '')
    .replace(/`[^`\n]*`/g, (code) => code.replace(/[`[\]()]/g, ''));
}

/** The targets of a document's links within the project. A bare `#anchor` means the document. */
function linksIn(path: string, prose: string): { file: string; anchor: string | undefined }[] {
  return Array.from(prose.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g), (link) => ({
    file: link[1] ? normalize(join(dirname(path), link[1])) : path,
    anchor: link[2],
  }));
}

/** The anchors that GitHub gives to a document's headings. */
function anchorsIn(prose: string): string[] {
  return Array.from(prose.matchAll(/^#+ (.+)$/gm), ([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

t.test(
  'every link between the documents leads to a file, and its anchor to a heading',
  async (t) => {
    const reached = new Set(['README.md']);
    for (const document of reached) {
      for (const { file, anchor } of linksIn(document, await readProse(document))) {
        const link = `${document} links to ${file}`;
        await t.resolves(access(join(projectRoot, file)), link);
        if (!file.endsWith('.md')) continue;
        reached.add(file);
        if (anchor === undefined) continue;
        t.ok(anchorsIn(await readProse(file)).includes(anchor), `${link}#${anchor}`);
      }
    }
    t.same([...reached].sort(), documents, 'a reader of README.md finds every document');
  },
);
