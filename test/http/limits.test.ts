import t from 'tap';
import { startTestService } from '../support/service.js';

t.test('the 61st read of an address within a minute gets 429', async (t) => {
  const { app } = await startTestService(t, {});
  for (let read = 1; read <= 60; read += 1) {
    const { statusCode, headers } = await app.inject('/api/public/studio');
    t.equal(statusCode, 200);
    t.equal(headers['ratelimit-policy'], '"reads";q=60;w=60');
    t.match(headers['ratelimit'], new RegExp(`^"reads";r=${60 - read};t=\\d+$`));
  }
  const refused = await app.inject('/api/public/studio');
  t.equal(refused.statusCode, 429);
  t.equal(refused.json().error.code, 'rate_limited');
});
