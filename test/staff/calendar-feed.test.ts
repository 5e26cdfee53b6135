import t from 'tap';
import { startTestService } from '../support/service.js';
import { studioOn } from '../support/studio.js';

interface Issued {
  added?: { id: string; label: string };
  rotated?: { id: string };
  url: string;
}

const address = /^http:\/\/studio\.test\/calendar\/tsf_[0-9A-Za-z]{38}\.ics$/m;

t.test('a feed is added, listed, rotated and removed; its address is shown once', async (t) => {
  const { app, context } = await startTestService(t);
  const studio = studioOn(context);
  const status = async (url: string) => (await app.inject(new URL(url).pathname)).statusCode;
  t.match(await studio('calendar', 'feed', 'list'), { code: 0, stdout: 'No feeds.\n' });

  const shown = await studio('calendar', 'feed', 'add', '--label', 'Phone');
  t.match(shown, { code: 0, stdout: address });
  t.match(shown.stdout, /Anyone who has this address can read the calendar/);
  t.match(shown.stdout, /Subscribe to it/);
  const [url = ''] = address.exec(shown.stdout) ?? [];
  t.equal(await status(url), 200);

  const detailed = await studio(
    'calendar',
    'feed',
    'add',
    '--label',
    'Desk',
    '--details',
    '--json',
  );
  const { added, url: other } = detailed.json<Issued>();
  t.strictSame(Object.keys(added!).sort(), ['created_at', 'has_details', 'id', 'label']);
  t.match(added, { label: 'Desk', has_details: true });
  t.equal(await status(other), 200);

  const listed = await studio('calendar', 'feed', 'list', '--json');
  t.match(listed.json(), [
    { id: added!.id, label: 'Desk', has_details: true },
    { label: 'Phone', has_details: false },
  ]);
  const table = (await studio('calendar', 'feed', 'list')).stdout;
  t.match(table, /^ID +LABEL +SHOWS +ADDED\n[0-9a-f]{8} +Desk +names and phones .*\n.* +initials /);
  t.notMatch(listed.stdout + table, 'tsf_');

  const short = added!.id.slice(0, 8);
  for (const verb of ['rotate', 'remove']) {
    const refused = await studio('calendar', 'feed', verb, short);
    t.match(refused, { code: 4, stderr: /“Desk”.*add --yes/ }, `${verb} asks`);
    t.match(await studio('calendar', 'feed', verb, '00000000', '--yes'), {
      code: 3,
      stderr: /No feed has the id 00000000/,
    });
  }
  t.equal(await status(other), 200);
  const rotated = await studio('calendar', 'feed', 'rotate', short, '--yes', '--json');
  const { url: another } = rotated.json<Issued>();
  t.match(rotated.json(), { rotated: { id: added!.id, label: 'Desk', has_details: true } });
  t.strictSame([await status(other), await status(another)], [404, 200]);
  const removed = await studio('calendar', 'feed', 'remove', short, '--yes');
  t.match(removed, { code: 0, stdout: 'Removed: Desk.\n' });
  t.strictSame([await status(another), await status(url)], [404, 200]);
});

t.test('the 21st feed is refused with what to do', async (t) => {
  const { context } = await startTestService(t);
  const studio = studioOn(context);
  const add = () => studio('calendar', 'feed', 'add', '--label', 'Phone');
  for (let feeds = 0; feeds < 20; feeds += 1) t.equal((await add()).code, 0);
  t.match(await add(), { code: 4, stdout: '', stderr: /20 feeds already: remove one first/ });
});
