import { type BrowserName, browserNames, launch } from './browsers.js';
import { clientJobs } from './client-jobs.js';
import { consoleJobs } from './console-jobs.js';
import { play, type Row } from './scene.js';
import { startStudio } from './studio.js';

const jobs = [...consoleJobs, ...clientJobs];

/** Does the named jobs in the named browsers, without names all. Resolves with whether all were done. */
export async function runJobs(named: readonly string[], folder: string): Promise<boolean> {
  const chosen = <Each>(all: readonly Each[], nameOf: (each: Each) => string) => {
    const some = all.filter((each) => named.includes(nameOf(each)));
    return some.length > 0 ? some : all;
  };
  const tables: string[] = [];
  let failures = 0;
  for (const name of chosen<BrowserName>(browserNames, (each) => each)) {
    const browser = await launch(name);
    if (browser === null) {
      console.error(`There is no ${name} on this machine.`);
      continue;
    }
    // One for each browser: the jobs change it.
    const studio = await startStudio();
    try {
      for (const job of chosen(jobs, ({ number }) => String(number))) {
        console.error(`${browser.version}: ${job.number}, ${job.title}`);
        try {
          tables.push(tableOf(await play(job, { studio, browser, folder }), name));
        } catch (error) {
          failures += 1;
          console.error(error);
          tables.push(`| ${job.number} | ${job.title} | | impossible | | ${name} | |`);
        }
      }
    } finally {
      await browser.close();
      await studio.stop();
    }
  }
  console.log([tableHead, ...tables].join('\n'));
  return failures === 0;
}

const tableHead = `| | job | 2.9.0 | presses | typed | browser | how |
|---|---|---|---|---|---|---|`;

/** The rows of one browser in Markdown. */
function tableOf(rows: readonly Row[], browser: string): string {
  const lines = rows.map(({ job: { number, title }, part, presses, letters, picks, ...row }) => {
    const typed = [letters > 0 && `${letters} letters`, picks > 0 && `${picks} picks`];
    const named = part === '' ? title : `${title}: ${part}`;
    const counted = [presses, typed.filter((each) => each !== false).join(', ')];
    return `| ${[number, named, row.before, ...counted, browser, row.path].join(' | ')} |`;
  });
  return lines.join('\n');
}
