import { setTimeout as delay } from 'node:timers/promises';
import { startDatabaseProxy } from '../../support/proxy.js';
import { answer } from '../../support/receiver.js';
import { installSplit, type Fault } from '../fault.js';

export const kills: Fault[] = [
  {
    name: 'api killed in mid-hold, three times',
    async prepare(scope, servers) {
      const slowly = async (direct: string) => {
        const { proxy, connectionString } = await startDatabaseProxy(scope, direct);
        // A hold takes long enough to be under way at any moment.
        proxy.slow(60);
        return { DATABASE_URL: connectionString };
      };
      const installation = await installSplit(scope, servers, { changes: { 'api 1': slowly } });
      const api = installation.hosts[0]!;
      return {
        installation,
        async strike() {
          for (let kill = 0; kill < 3; kill += 1) {
            await delay(1_500);
            api.kill();
            while (!(await api.isHealthy())) await delay(50);
          }
        },
      };
    },
  },
  {
    name: 'worker killed in mid-delivery and mid-mail',
    mayRepeatMails: true,
    async prepare(scope, servers) {
      const installation = await installSplit(scope, servers);
      const { receiver, smtp, hosts } = installation;
      return {
        installation,
        async strike() {
          smtp.misbehave(({ stage }) => (stage === 'end' ? 'silence' : null));
          await smtp.waitFor(smtp.received().length + 2);
          receiver.behave({ kind: 'hang' });
          await receiver.request(receiver.requests.length + 2);
          hosts.find(({ name }) => name === 'worker')?.kill();
          receiver.behave(answer(204));
          smtp.misbehave(null);
        },
      };
    },
  },
];
