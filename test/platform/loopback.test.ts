import t from 'tap';
import { isLoopback } from '../../src/platform/loopback.js';

void t.test('an address that opens on this machine only is recognized', async (t) => {
  for (const url of [
    'http://localhost:3000',
    'http://LOCALHOST',
    'https://127.0.0.1:8443/checkout/co_a',
    'http://127.8.9.10',
    'http://[::1]:3000',
    'http://[::ffff:127.0.0.1]',
  ]) {
    t.ok(isLoopback(url), url);
  }
  for (const url of [
    'https://book.example.com',
    'https://localhost.example.com',
    'http://192.168.1.7:3000',
    'http://0.0.0.0:3000',
    'http://[::2]',
    'localhost',
    'null',
    '',
  ]) {
    t.notOk(isLoopback(url), url);
  }
});
