import { execFile } from 'node:child_process';
import { chmod, copyFile, mkdir, mkdtemp, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { Test } from 'tap';
import { readContainerfile, type BuildStep, type Containerfile } from './containerfile.js';
import { packageFile } from './package.js';
import type { Conditions } from './process.js';
import { projectRoot } from './project.js';
import { runPreload } from './run-clock.js';

const run = promisify(execFile);

/** A user without rights of its own: what no file of the image belongs to. */
const unprivilegedUser = 65_534;

/** The last stage of the Containerfile as a folder that nothing can write to. */
export interface Image {
  /** Everything: the files of the image, and what stands for its base. */
  folder: string;
  /** The last WORKDIR. */
  service: string;
  file: Containerfile;
  /** For `spawnService`: as in a container, as another user where the tests run as root. */
  conditions: Conditions;
  environment: Record<string, string>;
}

/**
 * Takes the steps of the Containerfile, without an engine and offline. The folder of a stage stands for
 * its root, the Node of the run for the base image, hard links to the project's node_modules for
 * `npm ci`, and the package that the run has packed for `npm pack`; the other steps run as written.
 */
export async function makeImage(t: Test): Promise<Image> {
  const file = await readContainerfile();
  // Beside node_modules, so that they can be linked.
  const building = t.testdir();
  const folder = await mkdtemp(join(tmpdir(), 'booking-image-'));
  t.teardown(async () => {
    await run('chmod', ['-R', 'u+w', folder]);
    await run('rm', ['-rf', folder]);
  });
  const roots = new Map<string, string>();
  let workdir = '';
  for (const stage of file.stages) {
    const isLast = stage === file.stages.at(-1);
    const root = isLast ? join(folder, 'image') : join(building, stage.name);
    roots.set(stage.name, root);
    for (const step of stage.steps) {
      if (step.keyword === 'WORKDIR') {
        workdir = join(root, step.text);
        await mkdir(workdir, { recursive: true });
      } else if (step.keyword === 'COPY') {
        await copy(step, step.from === null ? projectRoot : roots.get(step.from)!, workdir);
      } else {
        await runStep(step.text, workdir);
      }
    }
  }
  const node = await addBase(folder, workdir);
  await run('chmod', ['-R', 'a+rX,a-w', folder]);
  const [program, ...args] = file.command;
  if (program !== 'node') throw new Error(`the image does not run node, but ${program}`);
  return {
    folder,
    service: workdir,
    file,
    conditions: {
      node,
      program: args,
      cwd: workdir,
      ...(process.getuid?.() === 0 && { user: unprivilegedUser }),
    },
    environment: {
      ...file.environment,
      HOME: folder,
      TMPDIR: folder,
      NODE_OPTIONS: `--import=${pathToFileURL(join(folder, 'preload.js')).href}`,
    },
  };
}

async function copy({ words }: BuildStep, root: string, workdir: string): Promise<void> {
  const target = join(workdir, words.at(-1)!);
  await mkdir(target, { recursive: true });
  for (const word of words.slice(0, -1)) {
    const source = join(root, word);
    const isFolder = (await stat(source)).isDirectory();
    // Of a folder, COPY takes the content.
    await run('cp', ['-R', ...(isFolder ? [`${source}/.`, target] : [source, target])]);
  }
}

async function runStep(command: string, workdir: string): Promise<void> {
  if (command.startsWith('npm ci')) {
    const installed = join(workdir, 'node_modules');
    await run('cp', ['-Rl', join(projectRoot, 'node_modules'), installed]);
    // npm writes to this file.
    const list = '.package-lock.json';
    await run('rm', [join(installed, list)]);
    await copyFile(join(projectRoot, 'node_modules', list), join(installed, list));
  } else if (command === 'npm pack') {
    await copyFile(packageFile(), join(workdir, basename(packageFile())));
  } else {
    // Nothing else of our environment: in that of an npm script, npm works on another folder.
    const { PATH, HOME } = process.env;
    const env = { PATH, HOME, npm_config_offline: 'true' };
    await run('/bin/sh', ['-c', command], { cwd: workdir, env });
  }
}

/**
 * What the base image stands for: Node, which another user may not be able to reach where it is. And
 * the clock of the run, which changes the pg of the service.
 */
async function addBase(folder: string, service: string): Promise<string> {
  await chmod(folder, 0o755);
  const node = join(folder, 'node');
  await copyFile(process.execPath, node);
  const preload = fileURLToPath(runPreload);
  for (const name of ['preload.js', 'shift-date.js']) {
    await copyFile(join(preload, '..', name), join(folder, name));
  }
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await symlink(join(service, 'node_modules'), join(folder, 'node_modules'));
  return node;
}
