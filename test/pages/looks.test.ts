import t, { type Test } from 'tap';
import { reminderToken } from '../../src/secrets/links.js';
import { bookingRow } from '../support/bookings.js';
import { launchBrowser } from '../support/browser.js';
import { codeMode, holdWithBrowser, mailOn, newestCode, wrongDigits } from '../support/codes.js';
import { pressOn } from '../support/forms.js';
import { sessionForPerson } from '../support/holds.js';
import { expectGoodLook, moveUrl, openPage, tabTo } from '../support/pages.js';
import { someOpenSlots } from '../support/requests.js';
import { generous, startService } from '../support/service.js';

/** Confirming takes a code, or only the link; mail is on in both. */
const byCode = await startService(t, codeMode, { isReachable: true });
const byLink = await startService(t, { ...generous, ...mailOn }, { isReachable: true });
const browser = await launchBrowser(t);
const skip = { skip: browser === null };
const newPage = (t: Test) => openPage(t, { browser: browser! });

t.test('each page with a code looks good', skip, async (t) => {
  const page = await newPage(t);
  const { url, code } = await holdWithBrowser(byCode);
  await page.goto(url);
  await expectGoodLook(t, page, 'ask');
  await page.getByRole('button', { name: 'Send me the code' }).click();
  const digits = page.getByLabel('The six digits');
  await digits.waitFor();
  await expectGoodLook(t, page, 'enter');
  await digits.pressSequentially(wrongDigits(await code()));
  await page.keyboard.press('Enter');
  await page.getByText('You can type it 2 more times').waitFor();
  await expectGoodLook(t, page, 'wrong');

  const session = await holdWithBrowser(byLink);
  await pressOn(byLink, session.path, 'confirm');
  await page.goto(session.url);
  await page.getByText('I cannot come').click();
  await expectGoodLook(t, page, 'ask, to cancel');
  const [slot] = await someOpenSlots(byLink.context, 1);
  await page.goto(moveUrl(session.url, slot!));
  await page.getByRole('button', { name: 'Send me the code' }).click();
  await digits.pressSequentially(await newestCode(byLink, session.id));
  await expectGoodLook(t, page, 'enter, to move');
  await digits.press('Enter');
  await page.getByText('It has been moved to this time').waitFor();
  await page.goBack();
  await page.getByRole('heading', { name: 'Your session is confirmed' }).waitFor();
  t.match(await session.row(), { sequence: 2 }, 'going back repeats nothing');
});

t.test('the page of reminders looks good, and works by keyboard', skip, async (t) => {
  const { keyring, config } = byLink.context;
  const { id } = await sessionForPerson(byLink, { email: 'ada@example.com' });
  const row = () => bookingRow(byLink.context, id);
  const url = `${config.publicBaseUrl}/reminders/${reminderToken(keyring, await row())}`;
  const page = await newPage(t);
  for (const action of ['stop', 'resume']) {
    await page.goto(url);
    await expectGoodLook(t, page, action);
    await tabTo(page, `button[value=${action}]`);
    const loaded = page.waitForEvent('load');
    await page.keyboard.press('Enter');
    await loaded;
    t.equal((await row()).reminders_stopped_at !== null, action === 'stop');
  }
});

t.test(
  'the reference, the guides and the privacy page load nothing from elsewhere',
  skip,
  async (t) => {
    const page = await newPage(t);
    const url = byCode.context.config.publicBaseUrl;
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    for (const path of ['/docs/', '/guide', '/guide/integrations', '/privacy']) {
      await page.goto(`${url}${path}`);
      await expectGoodLook(t, page, path);
    }
    t.strictSame(
      requests.filter((each) => !each.startsWith('data:') && !each.startsWith(url)),
      [],
    );
  },
);
