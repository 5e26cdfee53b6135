import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import t from 'tap';
import { temporaryFolder } from '../support/embedded.js';
import { projectRoot } from '../support/project.js';

/** A project of one small program, with our scripts, settings and packages. */
async function createProject(t: Parameters<typeof temporaryFolder>[0]) {
  const folder = await temporaryFolder(t);
  for (const file of [
    'scripts/build.js',
    'scripts/bundle.js',
    'scripts/ensure-build.js',
    'scripts/run.js',
    'scripts/settings/tsconfig.build.json',
    'tsconfig.json',
    'package.json',
  ]) {
    await cp(join(projectRoot, file), join(folder, file));
  }
  const packages = join(folder, 'node_modules');
  await symlink(join(projectRoot, 'node_modules'), packages);

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
  const program = async () => (await run('scripts/run.js', 'main.js', 'a b', '--c')).output;
  const stamp = () => readFile(join(folder, 'dist/.built-from'), 'utf8');
  const withoutCompiler = () => rm(packages);
  await write('generated/words.ts', `export const word: string = 'first';\n`);
  await write('src/main.ts', `${importWord}console.log(word, process.argv.slice(2).join());\n`);
  for (const program of otherPrograms) await write(program, 'export {};\n');
  return { folder, write, run, program, stamp, withoutCompiler };
}

const otherPrograms = [
  'src/migrate.ts',
  'src/staff/main.ts',
  'src/watched-calendars/calendar-process.ts',
  'src/platform/tracing/opentelemetry/export-thread.ts',
];
const importWord = `import { word } from '../generated/words.js';\n`;

t.test('a program runs as its sources are, whatever has changed', async (t) => {
  const { folder, write, run, program, stamp } = await createProject(t);
  t.equal(await program(), 'first a b,--c\n', 'a first build');
  const first = await stamp();
  t.equal(await program(), 'first a b,--c\n', 'with nothing changed');

  // Files from an archive may be older than the build.
  await write('generated/words.ts', `export const word: string = 'older';\n`);
  await utimes(join(folder, 'generated/words.ts'), 0, 0);
  t.equal(await program(), 'older a b,--c\n', 'a changed source');
  t.not(await stamp(), first);

  await write('src/more.ts', `import { missing } from './none.js';\nconsole.log(missing);\n`);
  t.match(await program(), /error TS2307/, 'an added source that does not compile');
  t.match(await run('scripts/run.js', 'main.js'), { code: 1 }, 'and again');
  await rm(join(folder, 'src/more.ts'));
  t.equal(await program(), 'older a b,--c\n', 'a removed source');

  const settings = await readFile(join(folder, 'tsconfig.json'), 'utf8');
  await write('tsconfig.json', settings.replace('"strict": true', '"strict": 1'));
  t.match(await program(), /error TS5024/, 'changed settings');
});

t.test('after an interrupted build, nothing of it is left', async (t) => {
  const { folder, write, program } = await createProject(t);
  t.equal(await program(), 'first a b,--c\n');
  // As killed between the first file and the compiler's memory, with the change taken back.
  await rm(join(folder, 'dist/.built-from'));
  await write('dist/generated/words.js', `export const word = 'half';\n`);
  t.equal(await program(), 'first a b,--c\n');
});

t.test('without a compiler, a build that was brought along is enough', async (t) => {
  const { folder, run, write, program, withoutCompiler } = await createProject(t);
  await withoutCompiler();
  t.match(await run('scripts/build.js', '--if-possible'), { output: '', code: 0 });
  t.match(await run('scripts/build.js'), { output: /no build in dist/, code: 1 });

  await write('package.json', '{ "type": "module" }');
  await write('dist/bundle/main.js', `console.log('brought', process.argv.slice(2).join());\n`);
  t.equal(await program(), 'brought a b,--c\n');
  await write('dist/.built-from', 'other sources');
  t.match(await run('scripts/run.js', 'main.js'), { output: /outdated/, code: 1 });
  t.match(await run('scripts/build.js', '--if-possible'), { output: '', code: 0 });
  await rm(join(folder, 'dist/.built-from'));
  t.equal(await program(), 'brought a b,--c\n');
});
