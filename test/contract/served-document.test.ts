import t from 'tap';
import { readDocument } from '../support/document.js';
import { startTestService } from '../support/service.js';

t.test('/openapi.json is openapi.yaml, at the public address', async (t) => {
  const { app } = await startTestService(t);
  const { servers, ...served } = (await app.inject('/api/public/openapi.json')).json<
    Record<string, unknown>
  >();
  const { servers: _servers, ...written } = readDocument();
  t.match(servers, [{ url: 'http://studio.test' }]);
  t.strictSame(served, written);
});
