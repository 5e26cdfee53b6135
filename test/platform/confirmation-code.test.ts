import t from 'tap';
import {
  confirmationCode,
  isConfirmationCode,
  readTypedCode,
} from '../../src/platform/confirmation-code.js';
import { createKeyring } from '../../src/platform/keyring.js';

const former = 'the former secret key of this installation';
const present = 'the present secret key of this installation';
const ids = Array.from(
  { length: 500 },
  (_, index) => `5d2f9c1e-7a64-4c0b-9a43-${String(index).padStart(12, '0')}`,
);

t.test('a code has six digits, of which all occur, and is another for each mail and key', (t) => {
  const keyring = createKeyring(present);
  const codes = ids.map((id) => confirmationCode(keyring, id));
  t.ok(codes.every((code) => /^\d{6}$/.test(code)));
  t.ok(new Set(codes).size > 495);
  t.equal(
    new Set(codes.flatMap((code) => [...code].map((digit, place) => place + digit))).size,
    60,
  );
  const others = ids.map((id) => confirmationCode(createKeyring(former), id));
  t.ok(others.filter((code, index) => code === codes[index]).length < 3);
  t.end();
});

t.test('a code is accepted with both keys of a rotation, whichever made it', (t) => {
  const [id = '', other = ''] = ids;
  const during = createKeyring(present, former);
  for (const keyring of [createKeyring(former), createKeyring(present)]) {
    const code = confirmationCode(keyring, id);
    t.ok(isConfirmationCode(during, id, code));
    t.ok(isConfirmationCode(keyring, id, code));
    t.notOk(isConfirmationCode(during, other, code), 'not for another mail');
  }
  const old = confirmationCode(createKeyring(former), id);
  t.notOk(isConfirmationCode(createKeyring(present), id, old), 'and not after the rotation');
  for (const wrong of ['', '12345', '1234567', 'abcdef']) {
    t.notOk(isConfirmationCode(during, id, wrong), wrong);
  }
  t.end();
});

t.test('what a person types may have spaces; nothing but six digits is a code', (t) => {
  for (const typed of ['048315', ' 048 315 ', '048-315']) t.equal(readTypedCode(typed), '048315');
  for (const typed of ['', '48315', '0483155', '04831a', '٠٤٨٣١٥', ['048315'], undefined, null]) {
    t.equal(readTypedCode(typed), null, String(typed));
  }
  t.end();
});
