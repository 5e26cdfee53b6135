import { appendFile, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import t from 'tap';
import { addFormats } from '../../src/domain/validation-messages.js';
import { environmentOnServer } from '../support/backup.js';
import { mode, query, temporaryFolder } from '../support/embedded.js';
import { close, sessionForPerson } from '../support/holds.js';
import { startService } from '../support/service.js';
import { findingOf, studioEnvironment, studioIn, studioOn } from '../support/studio.js';

void t.test(
  'an export is a private folder that describes itself, and a report tells what an import does',
  async (t) => {
    const service = await startService(t);
    const studio = studioOn(service.context);
    const { slot } = await sessionForPerson(service);
    await close(service.context, slot.date);
    const watched = (label: string) => `
      insert into watched_calendars
        (label, host, address_sealed, address_hash, created_at, next_fetch_at)
      values ('${label}', 'host', '${label}', '${label}', booking_now(), booking_now())`;
    await query(
      studioEnvironment(service.context)['DATABASE_URL']!,
      `${watched('Ada')}; ${watched('Jon')};
      insert into passkeys (credential_id, public_key, counter, transports, name, created_at)
        values ('a', '', 0, '{}', 'Phone', booking_now());
      insert into api_keys (key_hash, email, created_at)
        values (sha256('1'), 'ada@keys.example', booking_now())`,
    );
    const base = await temporaryFolder(t);
    const folder = join(base, 'new', 'export');
    t.match(await studio('export', folder), { code: 0, stdout: /bookings.jsonl +1\n/ });

    t.equal(await mode(folder), '700');
    const names = await readdir(folder);
    for (const name of names) t.equal(await mode(join(folder, name)), '600', name);
    const read = (name: string) => readFile(join(folder, name), 'utf8');
    const data = names.filter((name) => /^[a-z-]+\.jsonl?$/.test(name));
    t.equal(data.length, 8);
    const readMe = await read('README.md');
    for (const name of data) {
      t.match(readMe, name);
      const ajv = new Ajv({ allowUnionTypes: true });
      addFormats(ajv);
      const schema = await read(name.replace(/\.jsonl?$/, '.schema.json'));
      const validate = ajv.compile(JSON.parse(schema) as object);
      const text = await read(name);
      const rows = name.endsWith('l') ? text.split('\n').slice(0, -1) : [text];
      for (const row of rows) t.ok(validate(JSON.parse(row)), name);
    }

    const shared = join(base, 'shared');
    await mkdir(shared, { mode: 0o755 });
    t.match(await studio('export', shared), { code: 0 });
    t.equal(await mode(shared), '755', 'a folder that exists keeps its mode');
    t.equal(await mode(join(shared, 'bookings.jsonl')), '600');
    const refused = await studio('export', folder);
    t.match(refused, { code: 4, stderr: `${folder} is not empty: name a new folder.\n` });
    const taken = join(base, 'taken');
    await writeFile(taken, '');
    t.match(await studio('export', taken), { code: 1, stderr: /cannot be used \(EEXIST\)/ });

    const elsewhere = await environmentOnServer(t, 'another secret');
    const other = studioIn(elsewhere);
    t.match(await other('import', base), { code: 3, stderr: / has no file format.json/ });
    await writeFile(join(base, 'format.json'), '{}'.padEnd(4_000_001));
    const large = await other('import', base);
    t.match(large, { code: 4, stderr: /^format\.json: it is larger than 4 MB\./ });
    const tried = await other('import --dry-run --json', folder);
    t.match(tried.json(), {
      outcome: 'dry_run',
      rows: { 'bookings.jsonl': 1, 'closures.jsonl': 1 },
    });
    await appendFile(join(folder, 'closures.jsonl'), '{}\n');
    const format = await read('format.json');
    await writeFile(join(folder, 'format.json'), format.replace(/(closures.*)1/, '$12'));
    const broken = await other('import', folder);
    const why = 'closures.jsonl  2     refused  id is required and missing';
    t.match(broken, { code: 4, stdout: why, stderr: /1 row refused: nothing was imported/ });
    const imported = await other('import --skip-refused', folder);
    const leftOut =
      /: 1 API key, 1 passkey \(Phone\), 2 watched calendars \(Ada, Jon\)\. "studio doctor"/;
    t.match(imported, { code: 0, stdout: /closures.jsonl +1\nImported.\nLeft out/ });
    t.match(imported.stdout, leftOut);
    t.match((await other('audit list --json')).json(), [
      { action: 'import', details: { 'bookings.jsonl': 1, refused: 1 } },
    ]);
    await query(elsewhere['DATABASE_URL'], watched('Jon'));
    const missing =
      /: 1 API key, 1 passkey \(Phone\), 1 of 2 watched calendars \(Ada\)\. Make it again/;
    t.match(await findingOf(other, 'left out'), { status: 'warning', message: missing });
    t.match(await other('left-out dismiss'), { code: 4, stderr: /\(Ada\)\?.* add --yes/ });
    t.match(await other('left-out dismiss --yes'), { code: 0 });
    t.match(await findingOf(other, 'left out'), { status: 'ok' });
    t.match(await other('left-out dismiss --yes'), { code: 4, stderr: /Nothing is missing/ });

    await rm(join(folder, 'left-out.json'));
    t.match(await studio('import', folder), { code: 4, stderr: /in use/ }, 'of an older version');
    await mkdir(join(base, 'long'));
    await writeFile(join(base, 'long', 'format.json'), Buffer.alloc(17 * 1024 * 1024, 'a'));
    const long = await studio('import', join(base, 'long'));
    t.match(long, { code: 4, stderr: 'format.json: a line is longer than any row.' });

    const interruption = new AbortController();
    interruption.abort();
    const late = join(base, 'interrupted');
    const stopped = studioIn(studioEnvironment(service.context), interruption.signal);
    t.match(await stopped('export', late), { code: 130 });
    t.strictSame(await readdir(late), [], 'an interrupted export leaves no files');
  },
);
