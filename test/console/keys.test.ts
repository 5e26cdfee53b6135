import { sql } from 'kysely';
import t from 'tap';
import { createApiKey } from '../../src/access/api-keys.js';
import { pressesFrom, section } from '../support/console-presses.js';
import { openConsole, startConsole } from '../support/console.js';
import { accessibilityViolations, expectFits, tabTo } from '../support/pages.js';
import { callerNumber } from '../support/requests.js';

t.test('a key is revoked in three presses, once, under the name of the session', async (t) => {
  const opened = await startConsole(t);
  if (opened === null) return;
  const { pages, page } = opened;
  const { context } = pages.service;
  const { id, key } = await createApiKey(context, callerNumber(1), {
    email: 'agent@example.com',
    label: 'Desk',
  });
  const other = await openConsole(t, pages, {}, 'Grace');
  await other.goto(`${pages.url}/console/keys`);

  const presses = await pressesFrom(page, pages.url);
  await presses.press(section(page, 'Keys'));
  const main = await page.getByRole('main').innerText();
  t.match(main, /agent@example\.com[^]*Desk[^]*never used/);
  t.notMatch(await page.content(), key);
  await presses.press(page.locator('.rows summary'));
  await presses.press(page.locator('.rows details button'));
  await page.waitForURL('**/console/keys?done=revoked');
  t.equal(presses.count(), 3);
  t.match(await page.getByRole('main').innerText(), /revoked \w+ \d+/);

  await other.locator('.rows summary').click();
  await other.locator('.rows details button').click();
  t.match(await other.getByRole('alert').innerText(), /Nothing was done.*revoked before/);
  const rows = await context.database
    .selectFrom('audit_log')
    .select(['actor', 'details'])
    .where('action', '=', 'keys revoke')
    .execute();
  t.match(rows, [{ actor: /^Ada \(console/, details: { api_key_ids: [id] } }]);
  t.equal(rows.length, 1);
  t.notMatch(pages.service.logLines.join(''), /agent@example\.com/);
});

t.test('by keyboard alone, and without script on a phone; older ones follow', async (t) => {
  const opened = await startConsole(t);
  if (opened === null) return;
  const { pages, page } = opened;
  const { context } = pages.service;
  const ids: string[] = [];
  for (let number = 0; number < 52; number += 1) {
    const { id } = await createApiKey(context, callerNumber(number), {
      email: `agent${number}@example.com`,
    });
    ids.push(id);
    // Those that are made in one millisecond would stand in the order of their random ids.
    await sql`
      update api_keys set created_at = created_at + make_interval(secs => ${number / 1_000})
      where id = ${id}`.execute(context.database);
  }
  const isRevoked = async (id: string | undefined) =>
    (
      await context.database
        .selectFrom('api_keys')
        .select('revoked_at')
        .where('id', '=', id ?? '')
        .executeTakeFirstOrThrow()
    ).revoked_at !== null;
  await page.goto(`${pages.url}/console`);
  await tabTo(page, 'a[href="/console/keys"]');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/console/keys');
  await tabTo(page, '.rows summary');
  await page.keyboard.press('Enter');
  await tabTo(page, '.rows details[open] button');
  t.strictSame(await accessibilityViolations(page), []);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/console/keys?done=revoked');
  t.ok(await isRevoked(ids.at(-1)));

  const phone = await openConsole(t, pages, {
    javaScriptEnabled: false,
    viewport: { width: 390, height: 844 },
  });
  await phone.goto(`${pages.url}/console/keys`);
  await phone.getByRole('link', { name: 'Older' }).click();
  await expectFits(t, phone);
  const emails = await phone.locator('.rows > li bdi').allInnerTexts();
  t.strictSame(emails, ['agent1@example.com', 'agent0@example.com']);
  await phone.locator('.rows summary').last().click();
  await expectFits(t, phone);
  await phone.locator('.rows details[open] button').click();
  await phone.waitForURL('**/console/keys?before=*&done=revoked');
  t.ok(await isRevoked(ids[0]));
  t.notOk(await isRevoked(ids[1]));
});
