import { sql } from 'kysely';
import type { Test } from 'tap';
import type { Context } from '../../src/context.js';
import type { Environment } from './servers.js';
import { studioIn } from './studio.js';

/** None of those of the invented studio. */
export const ownDetails = {
  ...{
    name: 'Blue Heron',
    description: 'Tattoos',
    street: '1 Oak Street',
    phone: '+1 555-555-0101',
  },
  ...{ website: '', email: 'hello@night-heron.studio' },
};

export type State = [
  name: string,
  finding: string | RegExp,
  enter: (t: Test) => Environment | Promise<Environment>,
  skip?: string | false,
];

/** Beside the Node of the run, and the folder of the state without room. */
const known = ['warning node:', 'no database in /proc'];

/** Enters each state, in which doctor finds that and nothing else. */
export async function nameEach(t: Test, states: readonly State[], own: Environment) {
  for (const [name, finding, enter, skip = false] of states) {
    await t.test(name, { skip }, async (t) => {
      const report = await studioIn({ ...own, ...(await enter(t)) })('doctor', '--json');
      const wrong = report
        .json<{ checks: { check: string; status: string; message: string }[] }>()
        .checks.map(({ check, status, message }) => `${status} ${check}: ${message}`)
        .filter((line) => !line.startsWith('ok') && !known.some((word) => line.includes(word)));
      t.match(wrong, [finding]);
      t.equal(wrong.length, 1, 'nothing else is wrong');
      t.equal(report.code, wrong[0]?.startsWith('failure') ? 5 : 0);
      t.notMatch(report.stdout, /secret@|wrong/, 'no password is printed');
    });
  }
}

/** Runs statements now, and others at the end of the test. */
export async function between(
  t: Test,
  database: Context['database'],
  before: string,
  after: string,
): Promise<Environment> {
  t.teardown(() => sql.raw(after).execute(database));
  await sql.raw(before).execute(database);
  return {};
}
