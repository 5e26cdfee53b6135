import { join } from 'node:path';
import t from 'tap';
import { createTestDatabase } from '../support/database.js';
import { temporaryFolder } from '../support/embedded.js';
import { findingOf, studioIn } from '../support/studio.js';

const nowhere = { DATA_DIR: '/nonexistent/data' };

void t.test('no address that was given is repeated in an error', async (t) => {
  const studio = studioIn(nowhere);
  const file = join(await temporaryFolder(t), 'none');
  const url = 'postgres://ada:geheim@db.invalid/studio';
  const wrong = [
    'postgre://ada:geheim@db/x',
    'postgres:ada:geheim@db/x',
    'postgres:///ada:geheim@db/x',
  ];
  const secret = 'https://cal.invalid/geheim.ics';
  const lines = [
    ...[...wrong, 'postgres://ada:1#geheim@db/x'].flatMap((each) => [
      [`restore ${file} --replaces`, each],
      [`restore ${file} --replaces=${each}`],
    ]),
    ...[
      'bookings import',
      'closures import',
      'import',
      'restore',
      'calendar watch check',
      'info set --website',
      'webhooks list',
      'keys revoke',
      'mail test',
    ].flatMap((command) => [url, secret].map((each) => [command, each])),
    ['calendar watch check', 'https://ada:geheim@cal.invalid/'],
    [url],
    ['bookings list', `--url=${url}`],
  ];
  for (const line of lines.flatMap((each) => [each, [...each, '--json']])) {
    const { code, stdout, stderr } = await studio(...line);
    t.not(code, 0, line.join(' '));
    t.notMatch(stdout + stderr, 'geheim', line.join(' '));
  }
  for (const environment of [
    ...[...wrong, 'postgres://ada:1#geheim@db/x'].map((each) => ({
      DATABASE_URL: each,
      SECRET_KEY: 'x'.repeat(32),
    })),
    { DATA_DIR: url },
    { REDIS_URL: 'redis://:1/geheim@cache' },
    { METRICS_PORT: url },
    { EMBED_ORIGINS: 'https://a.example,https://ada:geheim@b.example' },
  ]) {
    const { stdout } = await studioIn(environment)('doctor');
    t.match(stdout, /^✗ configuration +[A-Z_]+ (must|Invalid) /, JSON.stringify(environment));
    t.notMatch(stdout, 'geheim', JSON.stringify(environment));
  }
});

void t.test('a password that is missing is asked for, and PGPASSWORD has it', async (t) => {
  const url = new URL((await createTestDatabase(t)).connectionString);
  const { password } = url;
  url.password = '';
  const studio = studioIn({ DATABASE_URL: url.href, SECRET_KEY: 'x'.repeat(32) });
  const message = 'The database asks for a password: set PGPASSWORD.';
  t.match(await findingOf(studio, 'server'), { status: 'failure', message });
  process.env['PGPASSWORD'] = password;
  t.teardown(() => delete process.env['PGPASSWORD']);
  t.match(await findingOf(studio, 'server'), { status: 'ok' });
});
