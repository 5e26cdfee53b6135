import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { JobBrowser } from './browsers.js';
import { button, createHand, type Counts, type Hand } from './hand.js';
import type { Studio } from './studio.js';

/** An everyday job of the studio or of a client. */
export interface Job {
  number: number;
  title: string;
  run(scene: Scene): Promise<void>;
}

/** What a part of a job has taken. */
export interface Row extends Counts {
  job: Job;
  part: string;
  before: string;
  path: string;
}

export interface Scene {
  studio: Studio;
  /** The console on the day of today, as its owner or an artist has it open. */
  atConsole: (slug?: string) => Promise<Hand>;
  /** The phone of a client, who has never been here. */
  atHome: () => Promise<Hand>;
  /** Another tab of the same browser. */
  tabOf: (hand: Hand) => Promise<Hand>;
  /**
   * Counts what `act` presses: a part of the job, the presses in 2.9.0 as they were counted then, and how
   * it is done, to which a text that `act` resolves with is added.
   */
  part: (
    hand: Hand,
    named: readonly [part: string, before: string, path: string],
    act: () => Promise<unknown>,
  ) => Promise<void>;
}

/** A job of one part, which begins at the owner's console. */
export function ownerJob(
  [number, title, before, path]: readonly [number, string, string, string],
  act: (owner: Hand, scene: Scene) => Promise<unknown>,
): Job {
  return {
    ...{ number, title },
    async run(scene) {
      const owner = await scene.atConsole();
      await scene.part(owner, ['', before, path], () => act(owner, scene));
    },
  };
}

type Profile = Awaited<ReturnType<JobBrowser['newProfile']>>;

/** Does a job in a browser; resolves with its rows. Throws where it cannot be done. */
export async function play(
  job: Job,
  { studio, browser, folder }: { studio: Studio; browser: JobBrowser; folder: string },
): Promise<Row[]> {
  const rows: Row[] = [];
  const profileOf = new Map<Hand, Profile>();
  const openTab = async (profile: Profile) => {
    hand = createHand(await profile.newPage());
    profileOf.set(hand, profile);
    return hand;
  };
  const open = async () => openTab(await browser.newProfile());
  let hand: Hand | undefined;
  try {
    await job.run({
      studio,
      async atConsole(slug) {
        const owner = await open();
        await owner.open(await studio.consoleLink(slug));
        await owner.tap(button('Sign in'));
        await owner.open(`${studio.url}/console`);
        return owner;
      },
      atHome: open,
      tabOf: (of) => openTab(profileOf.get(of) as Profile),
      async part(hand, [part, before, path], act) {
        const start = { ...hand.counts };
        const found = await act();
        const since = (count: keyof Counts) => hand.counts[count] - start[count];
        rows.push({
          ...{ job, part, before, path: typeof found === 'string' ? `${path} ${found}` : path },
          ...{ presses: since('presses'), letters: since('letters'), picks: since('picks') },
        });
      },
    });
    return rows;
  } finally {
    await mkdir(folder, { recursive: true });
    const path = join(folder, `${String(job.number).padStart(2, '0')}-${browser.name}.png`);
    await hand?.page.screenshot({ path, fullPage: true }).catch(console.error);
    for (const profile of new Set(profileOf.values())) await profile.close();
  }
}
