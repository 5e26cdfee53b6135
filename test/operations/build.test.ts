import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import t, { type Test } from 'tap';
import { temporaryFolder } from '../support/embedded.js';
import { projectRoot } from '../support/project.js';

const files = [
  'scripts/build.js',
  'scripts/bundle.js',
  'scripts/ensure-build.js',
  'scripts/run.js',
  'tsconfig.json',
  'package.json',
];
const otherPrograms = [
  'src/migrate.ts',
  'src/staff/main.ts',
  'src/icalendar/read/calendar-process.ts',
  'src/platform/tracing/opentelemetry/export-thread.ts',
];

/** A project of one small program, with our scripts and settings. */
async function createProject(t: Test) {
  const folder = await temporaryFolder(t);
  for (const file of files) await cp(join(projectRoot, file), join(folder, file));
  const write = async (file: string, text: string) => {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), text);
  };
  /** Resolves with what it printed, and its exit code. */
  const run = (...args: string[]) =>
    new Promise<{ output: string; code: unknown }>((resolve) => {
      execFile(process.execPath, args, { cwd: folder }, (error, stdout, stderr) =>
        resolve({ output: stdout + stderr, code: error?.code ?? 0 }),
      );
    });
  const program = () => run('scripts/run.js', 'main.js', 'a b', '--c');
  await write('generated/words.ts', `export const word: string = 'first';\n`);
  await write(
    'src/main.ts',
    `import { word } from '../generated/words.js';\nconsole.log(word, process.argv.slice(2).join());\n`,
  );
  for (const each of otherPrograms) await write(each, 'export {};\n');
  await write('src/web/assets/page.css', '@import "./page/parts.css";');
  await write('src/web/assets/page/parts.css', 'main { color: red }');
  await write('src/locales/en.ts', 'export const en = {};');
  for (const each of ['main.js', 'page.css', 'page.html']) {
    await write(`src/mcp/view/page/${each}`, '');
  }
  return { folder, write, run, program };
}

t.test('a program runs as its sources are, whatever has changed', async (t) => {
  const { folder, write, program } = await createProject(t);
  await symlink(join(projectRoot, 'node_modules'), join(folder, 'node_modules'));
  const stamp = () => readFile(join(folder, 'dist/.built-from'), 'utf8');
  t.match(await program(), { output: 'first a b,--c\n', code: 0 }, 'a first build');
  const first = await stamp();
  t.equal((await program()).output, 'first a b,--c\n', 'with nothing changed');
  t.equal(await stamp(), first);

  // Files from an archive may be older than the build.
  await write('generated/words.ts', `export const word: string = 'older';\n`);
  await utimes(join(folder, 'generated/words.ts'), 0, 0);
  t.equal(
    (await program()).output,
    'older a b,--c\nBuilding the service from its sources: once after each change of them.\n',
    'a changed source',
  );
  t.not(await stamp(), first);
  const stylesheet = () => readFile(join(folder, 'dist/assets/page.css'), 'utf8');
  t.equal(await stylesheet(), 'main{color:red}\n', 'what browsers load');
  await write('src/web/assets/page/parts.css', 'main { color: tan }');
  await program();
  t.equal(await stylesheet(), 'main{color:tan}\n', 'a changed part of it');

  await write('src/main.ts', `import { missing } from './none.js';\nconsole.log(missing);\n`);
  t.match(await program(), { output: /Could not resolve/, code: 1 }, 'one that cannot be bundled');
});

t.test('without a bundler, a build that was brought along is enough', async (t) => {
  const { folder, run, write, program } = await createProject(t);
  const ifPossible = () => run('scripts/build.js', '--if-possible');
  t.match(await ifPossible(), { output: /^Not built, since .* left out/, code: 0 });
  t.match(await run('scripts/build.js'), { output: /no build in dist/, code: 1 });

  await write('package.json', '{ "type": "module" }');
  await write('dist/bundle/main.js', `console.log('brought', process.argv.slice(2).join());\n`);
  t.equal((await program()).output, 'brought a b,--c\n');
  await write('dist/.built-from', 'other sources');
  t.match(await program(), { output: /outdated/, code: 1 });
  t.match(await ifPossible(), { output: /^Not built/, code: 0 });
  await rm(join(folder, 'dist/.built-from'));
  t.equal((await program()).output, 'brought a b,--c\n');

  await write('dist/bundle/main.js', `import 'not-installed';\n`);
  t.match(await program(), {
    output:
      /^A package is missing \(Cannot find package 'not-installed' .*\): run npm ci first\.\n$/,
    code: 1,
  });
});
