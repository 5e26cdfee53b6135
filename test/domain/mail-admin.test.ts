import t from 'tap';
import { resendMail } from '../../src/domain/studio/mail-admin.js';
import { listAuditRows } from '../../src/repositories/audit.js';
import { countMailProblems, deleteOldMails } from '../../src/repositories/mail-admin.js';
import { confirmCheckout } from '../support/checkouts.js';
import { stopDatabaseClock } from '../support/clock.js';
import { mailOn } from '../support/codes.js';
import { holdForPerson } from '../support/holds.js';
import { insertMail, mailRow, now, raiseSequence } from '../support/mail-rows.js';
import { generous, startService } from '../support/service.js';
import { startOver } from '../support/start-over.js';

const day = 86_400;
const toStudio = { recipient: 'studio' } as const;
/** The columns that say how an attempt ended. */
const endings = [
  ...(['reason', 'ended_at', 'counted_at', 'claimed_until'] as const),
  ...(['last_error', 'last_reply_code'] as const),
];

const service = await startService(t, { ...generous, ...mailOn });
const { context } = service;
t.beforeEach(() => startOver(context));

/** A confirmed booking, whose only mails are those of the test. */
async function start() {
  const { id, token } = await holdForPerson(service);
  await confirmCheckout(context, token);
  const audited = async () =>
    (await listAuditRows(context.database, 100)).filter(({ action }) => action === 'mail resend');
  const change = (columns: { name?: null; email?: null }) =>
    context.database.updateTable('bookings').set(columns).where('id', '=', id).execute();
  return { id, audited, change };
}

t.test(
  'what was sent, failed or dropped is due again as if it were new, and audited',
  async (t) => {
    const { id, audited } = await start();
    const sent = await insertMail(context, id, { counted_at: new Date() });
    const ended = { ended_at: await now(context), kind: 'reminder' as const };
    const others = [
      await insertMail(context, id, { ...ended, status: 'failed', last_error: 'EAUTH' }),
      await insertMail(context, id, {
        ...ended,
        ...toStudio,
        status: 'dropped',
        reason: 'mail_off',
      }),
    ];
    for (const mail of [sent, ...others]) {
      t.equal(await resendMail(context, 'ada@desk', mail.id), 'resent');
      const row = await mailRow(context, mail.id);
      t.match(row, { status: 'pending', attempts: 0, resends: 1, next_attempt_at: Date });
      for (const column of endings) t.equal(row![column], null, column);
      t.equal(await resendMail(context, 'ada@desk', mail.id), 'pending', 'and only once');
    }
    const newest = { actor: 'ada@desk', details: { mail_id: others[1]!.id, booking_id: id } };
    t.match(await audited(), [newest, {}, {}]);
  },
);

t.test('what is pointless, or has no recipient any more, is not sent again', async (t) => {
  const { id, audited, change } = await start();
  const first = await insertMail(context, id);
  const ofStudio = await insertMail(context, id, toStudio);
  const reminder = await insertMail(context, id, { kind: 'reminder' });
  const refused = (mailId: string) => resendMail(context, 'ada@desk', mailId);
  await change({ email: null });
  t.equal(await refused(first.id), 'no_address', 'a reminder supersedes nothing');
  await raiseSequence(context, id);
  const cancellation = await insertMail(context, id, { kind: 'cancellation' });
  t.equal(await refused(first.id), 'superseded');
  t.equal(await refused(reminder.id), 'superseded');
  await change({ name: null });
  t.equal(await refused(cancellation.id), 'forgotten');
  t.equal(await refused(ofStudio.id), 'forgotten', 'the studio is not told of it either');
  t.equal(await refused('00000000-0000-0000-0000-000000000000'), 'not_found');
  t.strictSame(await audited(), []);
});

t.test('overdue is what nobody sends, and not what waits for its time or its turn', async (t) => {
  const { id } = await start();
  await stopDatabaseClock(context.database, Date.now());
  const due = { status: 'pending', next_attempt_at: await now(context, -120) } as const;
  await insertMail(context, id, { ...due, claimed_until: await now(context, 60) });
  await insertMail(context, id, { ...due, kind: 'move' });
  await insertMail(context, id, { ...toStudio, status: 'pending', kind: 'reminder' });
  t.match(await countMailProblems(context.database), { overdue: 0, failed: 0 });
  const late = await insertMail(context, id, { ...due, ...toStudio });
  const failed = { status: 'failed', kind: 'cancellation' } as const;
  await insertMail(context, id, { ...failed, ended_at: await now(context, -6 * day) });
  const longAgo = await now(context, -8 * day);
  await insertMail(context, id, { ...failed, ...toStudio, ended_at: longAgo });
  t.match(await countMailProblems(context.database), { overdue: 1, failed: 1 });
  const mails = context.database.updateTable('mails').where('id', '=', late.id);
  await mails.set({ next_attempt_at: await now(context, -60) }).execute();
  t.match(await countMailProblems(context.database), { overdue: 0 }, 'it is due for a minute');
});

t.test('rows are deleted 30 days after their end, and pending ones never', async (t) => {
  const { id } = await start();
  const [long, short] = [await now(context, -31 * day), await now(context, -29 * day)];
  const old = await insertMail(context, id, { ended_at: long });
  const due = { status: 'pending', created_at: long, next_attempt_at: long } as const;
  const pending = await insertMail(context, id, { ...due, kind: 'reminder' });
  const young = await insertMail(context, id, { kind: 'move', created_at: long, ended_at: short });
  await deleteOldMails(context.database, 30);
  t.equal(await mailRow(context, old.id), undefined);
  t.ok(await mailRow(context, pending.id));
  t.ok(await mailRow(context, young.id));
});
