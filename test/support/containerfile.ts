import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Copy, DockerfileParser, type Instruction } from 'dockerfile-ast';
import { projectRoot } from './project.js';

export const containerFolder = join(projectRoot, 'scripts/container');

export interface BuildStep {
  keyword: 'WORKDIR' | 'COPY' | 'RUN';
  /** The line without its keyword and its flags. */
  text: string;
  words: string[];
  /** COPY: the stage that it copies from; null: the project. */
  from: string | null;
}

export interface Stage {
  /** Empty: it has none. */
  name: string;
  image: string;
  steps: BuildStep[];
}

/** What scripts/container/Containerfile says. */
export interface Containerfile {
  stages: Stage[];
  /** Of the last stage. */
  environment: Record<string, string>;
  user: string;
  healthCheck: string[];
  /** ENTRYPOINT and CMD. */
  command: string[];
}

const stepKeywords: readonly string[] = ['WORKDIR', 'COPY', 'RUN'];

export async function readContainerfile(): Promise<Containerfile> {
  const text = await readFile(join(containerFolder, 'Containerfile'), 'utf8');
  const file = DockerfileParser.parse(text);
  const stages: Stage[] = [];
  const last = new Map<string, Instruction>();
  for (const instruction of file.getInstructions()) {
    const keyword = instruction.getKeyword();
    const stage = stages.at(-1);
    if (keyword === 'FROM') {
      const [image = '', , name = ''] = wordsOf(instruction);
      stages.push({ name, image, steps: [] });
      last.clear();
    } else if (stepKeywords.includes(keyword)) {
      stage?.steps.push(readStep(instruction));
    } else {
      last.set(keyword, instruction);
    }
  }
  const wordsAfter = (keyword: string) => wordsOf(last.get(keyword));
  const command = (keyword: string) => execForm(last.get(keyword));
  return {
    stages,
    environment: Object.fromEntries(wordsAfter('ENV').map((word) => word.split('=', 2))) as Record<
      string,
      string
    >,
    user: wordsAfter('USER')[0] ?? '',
    healthCheck: command('HEALTHCHECK'),
    command: [...command('ENTRYPOINT'), ...command('CMD')],
  };
}

function readStep(instruction: Instruction): BuildStep {
  const keyword = instruction.getKeyword() as BuildStep['keyword'];
  return {
    keyword,
    text: instruction.getArgumentsContent() ?? '',
    words: wordsOf(instruction),
    from: keyword === 'COPY' ? ((instruction as Copy).getFromFlag()?.getValue() ?? null) : null,
  };
}

/** The JSON array of an instruction: a command that no shell reads. */
function execForm(instruction: Instruction | undefined): string[] {
  const text = instruction?.getArgumentsContent() ?? '';
  return JSON.parse(text.slice(text.indexOf('['))) as string[];
}

function wordsOf(instruction: Instruction | undefined): string[] {
  return (instruction?.getArgumentsContent() ?? '').split(/\s+/);
}
