import t from 'tap';
import { mailtoUri } from '../../src/platform/mailto.js';

t.test('an address makes one URI, whatever characters its local part has', async (t) => {
  t.equal(mailtoUri('ada@example.com'), 'mailto:ada@example.com');
  t.equal(mailtoUri('ada+ink@example.com'), 'mailto:ada%2Bink@example.com');
  t.equal(mailtoUri('a?b&c,d#e@example.com'), 'mailto:a%3Fb%26c%2Cd%23e@example.com');
  t.equal(new URL(mailtoUri('"a@b"@example.com')).pathname, '%22a%40b%22@example.com');
});
