import t from 'tap';
import { openConsole } from '../support/console.js';
import { accessibilityViolations, expectFits, openPage, tabTo } from '../support/pages.js';
import { addAuthenticator, addPasskey } from '../support/passkeys.js';
import { freePort } from '../support/process.js';
import { generous, startService, type BrowserService } from '../support/service.js';

const port = String(await freePort());
// Passkeys need a name.
const address = { PORT: port, PUBLIC_BASE_URL: `http://localhost:${port}` };
const service = await startService(t, { ...generous, ...address }, { browser: true });
if (service !== null) testPasskeys(service);

function testPasskeys(service: BrowserService): void {
  const { url } = service;
  const { database } = service.context;

  t.afterEach(() => database.deleteFrom('passkeys').execute());

  t.test('a passkey is added, signs in, and is worth nothing once removed', async (t) => {
    const page = await openConsole(t, service, { viewport: { width: 390, height: 800 } });
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
    await page.goto(`${url}/console?date=2026-12-03`);
    await button.waitFor();
    await tabTo(page, 'button');
    await page.keyboard.press('Enter');
    await page.getByText('Ada’s phone').waitFor();
    t.equal(page.url(), `${url}/console?date=2026-12-03`);

    await page.goto(`${url}/console/sign-ins`);
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
  });

  t.test('a sign-in fails with a reason where the device does not verify its user', async (t) => {
    const page = await openConsole(t, service);
    const { cdp, id: authenticatorId } = await addAuthenticator(page);
    await addPasskey(page);
    await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByText('Nothing was done: the passkey was not confirmed.').waitFor();
  });

  t.test(
    'a device that cannot check its user adds none, and the person is told what to do',
    async (t) => {
      const page = await openConsole(t, service);
      await addAuthenticator(page, false);
      await page.goto(`${url}/console/sign-ins`);
      await page.getByRole('button', { name: 'Add a passkey' }).click();
      await page.getByText('set a PIN, a fingerprint or a face on it').waitFor();
    },
  );

  t.test('an old sign-in is renewed with the passkey before another one is added', async (t) => {
    await database.deleteFrom('console_sessions').execute();
    const page = await openConsole(t, service);
    await addAuthenticator(page);
    await addPasskey(page, 'Ada’s phone');
    await service.shiftClock(11 * 60_000);
    await page.goto(`${url}/console/sign-ins`);
    t.equal(await page.getByRole('button', { name: 'Add a passkey' }).count(), 0);
    await page.getByRole('button', { name: 'Sign in again with a passkey' }).click();
    await page.getByRole('button', { name: 'Add a passkey' }).waitFor();
    t.equal(page.url(), `${url}/console/sign-ins`);
    t.equal(await page.getByText('Signed in with a').count(), 1, 'the former session has ended');
    await service.shiftClock(0);
  });

  t.test('without script, there is no button that does nothing', async (t) => {
    const plain = await openPage(t, service, { javaScriptEnabled: false });
    await plain.goto(`${url}/console`);
    t.equal(await plain.getByRole('button').count(), 0);
    t.ok(await plain.getByText('studio console link').isVisible());
    const page = await openConsole(t, service, { javaScriptEnabled: false });
    await page.goto(`${url}/console/sign-ins`);
    t.equal(await page.getByRole('button', { name: 'Add a passkey' }).count(), 0);
  });
}
