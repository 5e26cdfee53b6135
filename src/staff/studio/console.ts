import {
  createConsoleLink,
  endConsoleSessions,
  maxSessionNameLength,
  readSignIns,
} from '../../access/console-sessions.js';
import { removePasskey } from '../../access/passkeys.js';
import type { ConsoleSessionRow, PasskeyRow } from '../../database/rows/console.js';
import { idPrefix, text } from '../arguments.js';
import type { StaffCommand } from '../command.js';
import { noSuch, onlyOne, StaffError } from '../failure.js';
import { count, shortId, table } from '../text.js';
import { addArtistOption, type ArtistOption, findNamed } from './named-artists.js';

export function addConsoleCommands(program: StaffCommand): void {
  const studioConsole = program
    .command('console')
    .concerns('artist')
    .description("who signs in to the studio's console at /console");

  const link = studioConsole.command('link').concerns('owner');
  addArtistOption(link, 'for an artist, who has only their own calendar, bookings, mails and feed')
    .description('print a link that signs in to the console once, within 15 minutes')
    .option(
      '--name <text>',
      'what the audit calls the session, such as "Ada\'s phone"',
      text(maxSessionNameLength),
    )
    .explain(`
The link signs in anyone who opens it and presses its button: keep it to yourself. Without --name,
the session is named after you, or after the artist.

Examples:
  studio console link
  studio console link --name "Ada's phone"
  studio console link --artist mara`)
    .run(async (run, { name, artist: typed }: { name?: string } & ArtistOption) => {
      const { services, config, actor, at, print } = run;
      const artist = typed === undefined ? null : findNamed(run.artists, typed);
      if (artist?.hidden_at != null) {
        throw new StaffError('refused', `${typed} is hidden, and cannot sign in.`);
      }
      const { token, expiresAt } = await createConsoleLink(services, actor, {
        name: name ?? artist?.name ?? actor.slice(0, maxSessionNameLength),
        artist,
      });
      const url = `${config.publicBaseUrl}/console/sign-in/${token}`;
      print({ url, expires_at: expiresAt.toISOString() }, () => [
        url,
        `It signs in once, until ${at(expiresAt)}.`,
      ]);
    });

  addSessionCommands(studioConsole);
  addPasskeyCommands(studioConsole);
}

function addSessionCommands(studioConsole: StaffCommand): void {
  const sessions = studioConsole.command('sessions').description('who is signed in');

  sessions
    .command('list')
    .description('list who is signed in, the latest sign-in first')
    .explain('\nExample:\n  studio console sessions list')
    .run(async ({ services, at, print }) => {
      const { sessions: rows } = await readSignIns(services);
      print(rows.map(sessionData), () =>
        table(
          ['ID', 'NAME', 'SIGNED IN', 'WITH', 'LAST SEEN'],
          rows.map((row) => [
            shortId(row.id),
            row.name,
            at(row.signed_in_at),
            row.passkey_id === null ? 'link' : 'passkey',
            at(row.last_seen_at),
          ]),
          'Nobody is signed in.',
        ),
      );
    });

  sessions
    .command('end')
    .description('sign out one session, or all')
    .argument('[id]', 'its id, or the first characters of its id', idPrefix)
    .option('--all', 'every session')
    .explain(
      '\nExamples:\n  studio console sessions end 3f2a81c0\n  studio console sessions end --all --yes',
    )
    .run(async ({ services, actor, confirm, print }, id: string | undefined, { all }: All) => {
      if ((id === undefined) !== (all === true)) {
        throw new StaffError('usage', 'Give the id of a session, or --all.');
      }
      const { sessions: rows } = await readSignIns(services);
      const found = id === undefined ? rows : [onlyOne(rows, 'session', id)];
      if (found.length > 0) await confirm(`Sign out ${count(found.length, 'session')}?`);
      const ids = found.map((row) => row.id);
      const ended = await endConsoleSessions(services, actor, ids);
      print({ ended: ended.map((row) => row.id) }, () => [
        `Signed out: ${count(ended.length, 'session')}.`,
      ]);
    });
}

interface All {
  all?: true;
}

function addPasskeyCommands(studioConsole: StaffCommand): void {
  const passkeys = studioConsole.command('passkeys').description('the passkeys that sign in');

  passkeys
    .command('list')
    .description('list the passkeys, the newest first')
    .explain('\nExample:\n  studio console passkeys list')
    .run(async ({ services, at, print }) => {
      const { passkeys: rows } = await readSignIns(services);
      print(rows.map(passkeyData), () =>
        table(
          ['ID', 'NAME', 'ADDED', 'LAST USED'],
          rows.map((row) => [
            shortId(row.id),
            row.name,
            at(row.created_at),
            at(row.last_used_at) || 'never',
          ]),
          'No passkeys.',
        ),
      );
    });

  passkeys
    .command('remove')
    .description('remove a passkey, and sign out everybody who signed in with it')
    .withId()
    .explain('\nExample:\n  studio console passkeys remove 3f2a81c0')
    .run(async ({ services, actor, confirm, print }, id: string) => {
      const found = onlyOne((await readSignIns(services)).passkeys, 'passkey', id);
      await confirm(`Remove the passkey “${found.name}”?`);
      const removed = await removePasskey(services, actor, found.id);
      if (removed === null) throw noSuch('passkey', id);
      const { passkey, sessionIds } = removed;
      print({ removed: passkeyData(passkey), ended: sessionIds }, () => [
        `Removed: ${passkey.name}. Signed out: ${count(sessionIds.length, 'session')}.`,
      ]);
    });
}

function sessionData({ id, name, passkey_id, signed_in_at, last_seen_at }: ConsoleSessionRow) {
  return { id, name, passkey_id, signed_in_at, last_seen_at };
}

/** A passkey without its key and counter, which say nothing. */
function passkeyData({ id, name, created_at, last_used_at }: PasskeyRow) {
  return { id, name, created_at, last_used_at };
}
