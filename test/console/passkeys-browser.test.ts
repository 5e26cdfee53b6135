import t from 'tap';
import { openConsole } from '../support/console.js';
import {
  accessibilityViolations,
  expectFits,
  openPage,
  startPages,
  tabTo,
} from '../support/pages.js';
import { addAuthenticator, addPasskey, setUserVerified } from '../support/passkeys.js';

const onLocalhost = { host: 'localhost' } as const;

void t.test(
  'a passkey is added, signs in where it was asked for, and is worth nothing once removed',
  async (t) => {
    const pages = await startPages(t, {}, onLocalhost);
    if (pages === null) return;
    const page = await openConsole(t, pages, { viewport: { width: 390, height: 800 } });
    const device = await addAuthenticator(page);
    await addPasskey(page, 'Ada’s phone');
    await expectFits(t, page);
    t.strictSame(await accessibilityViolations(page), []);
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByText('This device has a passkey for the console already.').waitFor();

    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    const button = page.getByRole('button', { name: 'Sign in with a passkey' });
    await button.waitFor();
    t.strictSame(await accessibilityViolations(page), []);
    await page.goto(`${pages.url}/console?date=2026-12-03`);
    await button.waitFor();
    await tabTo(page, 'button');
    await page.keyboard.press('Enter');
    await page.getByText('Ada’s phone').waitFor();
    t.equal(page.url(), `${pages.url}/console?date=2026-12-03`);

    await page.goto(`${pages.url}/console/sign-ins`);
    await page.getByText('last used').waitFor();
    await page.locator('summary').click();
    await page.getByRole('button', { name: 'Remove this passkey' }).click();
    // Its own session ends with it.
    await button.click();
    await page.getByText('This passkey was not accepted').waitFor();
    const { credentials } = await device.cdp.send('WebAuthn.getCredentials', {
      authenticatorId: device.id,
    });
    t.equal(credentials.length, 1, 'although the device still has it');
  },
);

void t.test(
  'a device that does not verify its person gets nowhere, whatever the options say',
  async (t) => {
    const pages = await startPages(t, {}, onLocalhost);
    if (pages === null) return;
    const page = await openConsole(t, pages);
    const device = await addAuthenticator(page);
    await addPasskey(page);
    await setUserVerified(device, false);
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    const button = page.getByRole('button', { name: 'Sign in with a passkey' });
    await button.click();
    await page.getByText('Nothing was done: the passkey was not confirmed.').waitFor();
    await page.route('**/passkey-options', async (route) => {
      const response = await route.fetch();
      const options = (await response.json()) as object;
      await route.fulfill({ response, json: { ...options, userVerification: 'discouraged' } });
    });
    await button.click();
    await page.getByText('This passkey was not accepted').waitFor();
    const { database } = pages.service.context;
    const audit = await database.selectFrom('audit_log').select('action').execute();
    t.equal(audit.filter(({ action }) => action === 'console sign-in refused').length, 1);
    t.strictSame(await database.selectFrom('console_sessions').selectAll().execute(), []);
  },
);

void t.test('an old sign-in is renewed with the passkey before another one is added', async (t) => {
  const pages = await startPages(t, {}, onLocalhost);
  if (pages === null) return;
  const page = await openConsole(t, pages);
  await addAuthenticator(page);
  await addPasskey(page, 'Ada’s phone');
  await pages.service.shiftClock(11 * 60_000);
  await page.goto(`${pages.url}/console/sign-ins`);
  t.equal(await page.getByRole('button', { name: 'Add a passkey' }).count(), 0);
  await page.getByRole('button', { name: 'Sign in again with a passkey' }).click();
  await page.getByRole('button', { name: 'Add a passkey' }).waitFor();
  t.equal(page.url(), `${pages.url}/console/sign-ins`);
  t.equal(await page.getByText('Signed in with a').count(), 1, 'the former session has ended');
});

void t.test(
  'without script, and at an IP address, there is no button that does nothing',
  async (t) => {
    const pages = await startPages(t, {}, onLocalhost);
    if (pages === null) return;
    const plain = await openPage(t, pages, { javaScriptEnabled: false });
    await plain.goto(`${pages.url}/console`);
    t.equal(await plain.getByRole('button').count(), 0);
    t.ok(await plain.getByText('studio console link').isVisible());
    const page = await openConsole(t, pages, { javaScriptEnabled: false });
    await page.goto(`${pages.url}/console/sign-ins`);
    t.equal(await page.getByRole('button', { name: 'Add a passkey' }).count(), 0);

    const atAddress = await startPages(t);
    if (atAddress === null) return;
    const other = await openPage(t, atAddress);
    await other.goto(`${atAddress.url}/console`);
    t.equal(await other.getByRole('button').count(), 0);
  },
);
