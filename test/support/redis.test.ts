import { Redis } from 'ioredis';
import t from 'tap';
import { redisMissing, redisUrl } from './redis.js';

t.test('each test gets an empty Redis database of its own', { skip: redisMissing }, async (t) => {
  const [first, second] = [new Redis(await redisUrl(t)), new Redis(await redisUrl(t))];
  await first.set('name', 'first');
  t.equal(await first.get('name'), 'first');
  t.equal(await second.dbsize(), 0);
  await Promise.all([first.quit(), second.quit()]);
});
