import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import t from 'tap';
import { seed } from '../support/arbitraries.js';
import { environmentOnServer, fill, everyRow } from '../support/backup.js';
import { temporaryFolder } from '../support/embedded.js';
import { studioIn } from '../support/studio.js';
import { startWholeService } from '../support/whole-service.js';

const folder = await temporaryFolder(t);
const source = await environmentOnServer(t, 'one key');
const service = await startWholeService(t, source);
await fill(service);
const studio = studioIn(source);
const file = join(folder, 'studio.backup');
await studio('backup', file);
await service.stop();
const whole = await readFile(file);
const content = gunzipSync(whole).toString();
const header = content.slice(0, content.indexOf('\n') + 1);
const rows = content.slice(header.length);
const path = join(folder, 'broken');

type Header = Record<string, unknown> & { tables: { columns: string[]; rows: number }[] };

void t.test(
  'a damaged backup is refused with the line of the damage, and changes nothing',
  async (t) => {
    const withHeader = (change: (header: Header) => void): Buffer => {
      const changed = JSON.parse(header) as Header;
      change(changed);
      return gzipSync(`${JSON.stringify(changed)}\n${rows}`);
    };
    const lines = content.split('\n');
    const number = lines.findIndex((line) => line.includes('\tpending\t')) + 1;
    const withLine = (change: (line: string) => string[]): Buffer =>
      gzipSync(lines.flatMap((line, at) => (at + 1 === number ? change(line) : [line])).join('\n'));
    const end = lines.length - 1;
    const flipped = Buffer.from(whole);
    flipped[flipped.length - 6]! ^= 1;
    const inLine = (at: number | '\\d+', damage: string) => new RegExp(`, line ${at}: ${damage}`);
    const notOurs = /is not a backup of this service/;
    const otherTables = inLine(1, 'the tables and columns are not those');
    const broken: Record<string, [Buffer, RegExp]> = {
      'is cut off': [whole.subarray(0, whole.length - 50), inLine('\\d+', '.* ends too early')],
      'has a wrong checksum': [flipped, inLine('\\d+', 'it cannot be read \\(Z_DATA_ERROR\\)')],
      'lacks its end': [gzipSync(content.slice(0, -3)), inLine(end, '.* ends too early')],
      'continues after its end': [gzipSync(`${content}more`), inLine(end + 1, '.* continues')],
      'lacks a row': [withLine(() => []), inLine('\\d+', 'table bookings has fewer than 3 rows')],
      'has a row twice': [
        withLine((line) => [line, line]),
        inLine('\\d+', 'table bookings has more than 3 rows'),
      ],
      'lacks a column': [
        withLine((line) => [line.slice(0, line.lastIndexOf('\t'))]),
        inLine(number, 'the row does not have the columns'),
      ],
      'has a wrong value': [
        withLine((line) => [line.replace(/^[\da-f]/, 'x')]),
        inLine(number, 'a value does not have the type'),
      ],
      'violates a constraint': [
        withLine((line) => [line.replace('\tpending\t', '\tsecret\t')]),
        inLine(number, 'the row violates a constraint'),
      ],
      'references nothing': [
        withLine((line) => [line.replace(/^[\da-f]{8}/, '00000000')]),
        inLine('\\d+', 'in this or a later line, the row references a row'),
      ],
      'is JSON of another kind': [gzipSync('{"format": "something else"}\n'), notOurs],
      'is binary': [gzipSync('\0\x01\x02'.repeat(100)), notOurs],
      'is null': [gzipSync('null\n'), notOurs],
      'is of another format': [
        withHeader((changed) => (changed['format'] = String(changed['format']).replace('1', '2'))),
        /another version of the service/,
      ],
      'is not compressed': [
        Buffer.from(content),
        inLine(1, 'it cannot be read \\(Z_DATA_ERROR\\)'),
      ],
      'is empty': [Buffer.alloc(0), inLine(1, '.* ends too early')],
      'has a line without end': [
        gzipSync(header + 'x'.repeat(64 * 1024 * 1024)),
        inLine(2, 'the line is longer than any row'),
      ],
      'is of a newer version': [
        withHeader((changed) => (changed['migrations'] = ['9999-the-future'])),
        /of a newer version/,
      ],
      'has no tables': [
        withHeader((changed) => (changed['tables'] = [])),
        inLine(1, 'the header is'),
      ],
      'lacks a table': [
        withHeader((changed) => (changed.tables = changed.tables.slice(0, -1))),
        inLine('\\d+', '.* continues after its end'),
      ],
      'has a table of its own': [
        gzipSync(`${header.replace('"closures"', '"closures2"')}${rows}`),
        otherTables,
      ],
      'has a column of its own': [
        withHeader(({ tables }) => (tables[0]!.columns[0] = 'a "b";')),
        otherTables,
      ],
    };
    for (const member of ['migrations', 'tables', 'secretKeyId', 'createdAt']) {
      for (const value of [undefined, 7, 'x\ty', [7], [null], [{ name: 7, rows: -1 }], {}]) {
        // A key may have any name.
        if (member === 'secretKeyId' && value === 'x\ty') continue;
        broken[`has the ${member} ${JSON.stringify(value)}`] = [
          withHeader((changed) => (changed[member] = value)),
          inLine(1, 'the header is damaged'),
        ];
      }
    }

    const environment = await environmentOnServer(t, 'one key');
    const fresh = studioIn(environment);
    const before = await everyRow(environment['DATABASE_URL']!);
    for (const [fault, [bytes, expected]] of Object.entries(broken)) {
      await writeFile(path, bytes);
      const refused = await fresh(`restore ${path} --yes`);
      t.match(refused, { code: 4, stdout: '', stderr: expected }, fault);
      t.match(refused.stderr, oneSentence, fault);
    }
    t.strictSame(await everyRow(environment['DATABASE_URL']!), before);
    t.equal((await fresh(`restore ${folder}/none --yes`)).code, 3);
    t.match(await fresh(`restore ${file} --yes`), { code: 0 }, 'the undamaged one is restored');
    t.match(await studio('backup', file), { code: 4, stderr: /exists already/ });
    t.equal((await stat(file)).size, whole.length);
  },
);

/** No stack, no SQL, no JavaScript error. */
const oneSentence = /^(?!.*(TypeError|undefined|select |copy |insert |syntax))[^\n]+\.\n$/i;

void t.test(
  'a backup with one random damage is restored, or refused with one sentence',
  async (t) => {
    const bytes = Buffer.from(content);
    let environment = await environmentOnServer(t, 'one key');
    let before = await everyRow(environment['DATABASE_URL']!);
    const at = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    const controls = ['\t', '\n', '\\N', '\\.\n', '\\', '\0'];
    const piece = fc.constantFrom('', '"', '9', '\xff', '漢', ...controls);
    const damages = fc.sample(fc.record({ at, piece, cut: fc.nat(40) }), { seed, numRuns: 60 });
    for (const { at: share, piece: inserted, cut } of damages) {
      // A third damages the compressed file, which its checksum detects.
      const target = cut % 3 === 0 ? whole : bytes;
      const from = Math.floor(share * target.length);
      const head = target.subarray(0, from);
      const damaged = Buffer.concat([head, Buffer.from(inserted), target.subarray(from + cut)]);
      await writeFile(path, target === whole ? damaged : gzipSync(damaged));
      const { code, stderr } = await studioIn(environment)('restore', path, '--yes');
      const damage = `${cut} bytes at ${from} replaced by ${JSON.stringify(inserted)}`;
      if (code === 0) {
        // The damage is within a text, which only the checksum of the compressed file detects.
        t.ok(target !== whole || damaged.equals(whole), damage);
        environment = await environmentOnServer(t, 'one key');
        before = await everyRow(environment['DATABASE_URL']!);
      } else {
        t.equal(code, 4, `${damage}: ${stderr}`);
        t.match(stderr, oneSentence, damage);
      }
    }
    t.strictSame(await everyRow(environment['DATABASE_URL']!), before);
  },
);
