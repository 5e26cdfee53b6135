import t from 'tap';
import { loadConfig } from '../../src/config.js';
import { generous, startTestService } from '../support/service.js';

/** The fields of a security.txt (RFC 9116), in its order. */
function fieldsOf(text: string): [name: string, value: string][] {
  return [...text.matchAll(/^([\w-]+): (\S+)$/gm)].map(([, name, value]) => [name!, value!]);
}

void t.test(
  'a vulnerability is reported to the studio, unless the operator names a contact',
  async (t) => {
    const service = await startTestService(t, {
      ...generous,
      PUBLIC_BASE_URL: 'https://book.example.com',
    });
    const answer = await fetch(`${service.url}/.well-known/security.txt`);
    t.equal(answer.status, 200);
    t.equal(answer.headers.get('content-type'), 'text/plain; charset=utf-8');
    const text = await answer.text();
    const { email } = (await service.context.board.read()).studio;
    const fields = fieldsOf(text);
    t.equal(fields.length, text.trimEnd().split('\n').length, 'every line is a field');
    t.strictSame(
      fields.filter(([name]) => name !== 'Expires'),
      [
        ['Contact', `mailto:${email}`],
        ['Preferred-Languages', 'en'],
        ['Canonical', 'https://book.example.com/.well-known/security.txt'],
      ],
    );
    const leftDays =
      (Date.parse(new Map(fields).get('Expires')!) - service.context.clock.now()) / 86_400_000;
    t.ok(leftDays > 30 && leftDays < 365, `${leftDays} days`);

    const contact = 'https://example.com/security';
    const named = await startTestService(t, { ...generous, SECURITY_CONTACT: contact });
    const namedText = await (await fetch(`${named.url}/.well-known/security.txt`)).text();
    t.equal(new Map(fieldsOf(namedText)).get('Contact'), contact);
  },
);

void t.test('a contact that is no address stops the start', async (t) => {
  for (const SECURITY_CONTACT of [
    'security@example.com',
    'http://example.com',
    'tel:+15555550142',
  ]) {
    t.throws(
      () => loadConfig({ SECURITY_CONTACT }),
      { name: 'ConfigError', message: /^SECURITY_CONTACT must be an address such as mailto:/ },
      SECURITY_CONTACT,
    );
  }
});
