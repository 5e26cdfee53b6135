import t from 'tap';
import { createCredential, isCredential } from '../../src/platform/tokens.js';

void t.test('a credential is recognized by its form, and a mistyped one is rejected', async (t) => {
  const key = createCredential('tsk');
  t.match(key, /^tsk_[0-9A-Za-z]{38}$/);
  t.ok(isCredential('tsk', key));
  t.notOk(isCredential('tsm', key));
  t.notOk(isCredential('tsm', key.replace('tsk_', 'tsm_')));
  t.notOk(isCredential('tsk', `${key}0`));
  t.notOk(isCredential('tsk', key.slice(0, -1)));
  for (let position = 4; position < key.length; position += 1) {
    const typed = key[position] === 'a' ? 'b' : 'a';
    t.notOk(isCredential('tsk', key.slice(0, position) + typed + key.slice(position + 1)));
    const [one, other] = [key[position - 1]!, key[position]!];
    if (position === 4 || one === other) continue;
    t.notOk(
      isCredential('tsk', key.slice(0, position - 1) + other + one + key.slice(position + 1)),
      'two characters swapped',
    );
  }
});

void t.test('credentials do not repeat, and use every digit', async (t) => {
  const credentials = Array.from({ length: 2_000 }, () => createCredential('tsm'));
  t.equal(new Set(credentials).size, credentials.length);
  t.ok(credentials.every((credential) => isCredential('tsm', credential)));
  t.equal(new Set(credentials.map((credential) => credential.slice(4, 36)).join('')).size, 62);
});
