import t from 'tap';
import { holdRequest, someOpenSlots } from '../support/requests.js';
import { startService } from '../support/service.js';

void t.test(
  'after a full journey the log, the events and the errors hold nothing personal and no secret',
  async (t) => {
    const service = await startService(t);
    const { app, context, logLines } = service;
    service.expectLog(/as an unexpected failure would be/);
    const background = await service.startBackground();
    const [slot, other] = await someOpenSlots(context, 2);
    const person = {
      name: 'Quirina Testperson',
      email: 'quirina@personal.example',
      phone: '5035559876',
      pronouns: 'xe/xem-unusual',
      idea: 'a very private idea',
    };
    const key = 'tsk_ThisLooksLikeAKeyAndMustNotBeLogged00000';
    const post = (payload: object) =>
      app.inject({
        method: 'POST',
        url: '/api/public/holds',
        headers: { authorization: `Bearer ${key}`, 'idempotency-key': 'key-of-quirina' },
        payload,
      });

    const held = await post(holdRequest(slot!, person));
    t.equal(held.statusCode, 201);
    const { data } = held.json<{ data: { id: string; checkout_url: string } }>();
    const token = data.checkout_url.split('/').at(-1)!;
    const failures = [
      await post(holdRequest(other!, person)),
      await post({ ...person, phone: `${person.phone}9`, date: person.name }),
      await app.inject({
        method: 'POST',
        url: '/api/public/holds',
        payload: holdRequest(slot!, person),
      }),
      await app.inject(`/api/public/bookings/${person.email}`),
      await app.inject({ method: 'POST', url: `/checkout/${token}`, payload: 'action=confirm' }),
      await app.inject(`/nowhere/${person.email}?email=${person.email}`),
    ];
    await app.inject(`/checkout/${token}`);
    const confirmed = await app.inject({
      method: 'POST',
      url: `/checkout/${token}`,
      headers: {
        origin: context.config.publicBaseUrl,
        'content-type': 'application/x-www-form-urlencoded',
      },
      payload: 'action=confirm',
    });
    t.equal(confirmed.statusCode, 303);
    const status = await app.inject(`/api/public/bookings/${data.id}`);
    await background.sweeper.sweep();
    // Error messages of the database contain values, which the log must not repeat.
    await context.database
      .insertInto('bookings')
      .values({ ...person, phone: 'not digits' } as never)
      .execute()
      .catch((err: unknown) => context.log.error({ err }, 'as an unexpected failure would be'));

    const events = await context.database.selectFrom('events').selectAll().execute();
    const published = {
      log: logLines.join(''),
      events: JSON.stringify(events),
      errors: failures.map((failure) => failure.body).join(''),
      status: status.body,
    };
    t.ok(logLines.length > 10 && events.length === 2, 'there is something to look at');
    const secrets = [...Object.values(person), token, key, 'key-of-quirina'];
    for (const [place, text] of Object.entries(published)) {
      for (const secret of secrets) t.notMatch(text, secret, `${place} without ${secret}`);
    }
    const { rows } = await context.pool.query<{ everything: string }>(
      "select coalesce(string_agg(bookings::text, ''), '') as everything from bookings",
    );
    t.notMatch(rows[0]!.everything, token, 'the token is not stored in the clear');
  },
);
