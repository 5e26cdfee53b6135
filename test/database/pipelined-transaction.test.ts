import { sql, type CompiledQuery } from 'kysely';
import t from 'tap';
import { runPipelinedTransaction } from '../../src/database/pipelined-transaction.js';
import { startTestService } from '../support/service.js';

void t.test('pipelined statements are one transaction, and each returns its rows', async (t) => {
  const { context } = await startTestService(t);
  const { connect, database, pool } = context;
  await pool.query('create table notes (id integer primary key)');
  const compiled = (text: string): CompiledQuery => sql.raw(text).compile(database);
  const write = (id: number) => ({
    name: `write ${id}`,
    query: compiled(
      `insert into notes values (${id}) returning id, txid_current()::text as transaction`,
    ),
  });
  const count = async () => (await pool.query('select * from notes')).rowCount;

  const written = (await runPipelinedTransaction(connect, [write(1), write(2)])) as {
    id: number;
    transaction: string;
  }[][];
  t.match(written, [[{ id: 1 }], [{ id: 2 }]]);
  t.equal(written[0]?.[0]?.transaction, written[1]?.[0]?.transaction);
  t.equal(await count(), 2);

  await t.rejects(runPipelinedTransaction(connect, [write(3), write(1), write(4)]), {
    code: '23505',
  });
  t.equal(await count(), 2, 'an error rolls back all statements');
  t.equal(pool.idleCount, pool.totalCount, 'the connection is back in the pool');
  t.match(await runPipelinedTransaction(connect, [write(3)]), [[{ id: 3 }]], 'and usable');

  const broken = { name: 'broken', query: compiled('select no_such_column') };
  await t.rejects(runPipelinedTransaction(connect, [write(4), broken]), { code: '42703' });
  t.equal(await count(), 3);
});

void t.test(
  'a connection that is lost in the transaction is an error, and leaves the pool',
  async (t) => {
    const { context } = await startTestService(t);
    const { connect, database, pool } = context;
    const cut = {
      name: 'cut',
      query: sql`select pg_terminate_backend(pg_backend_pid())`.compile(database),
    };
    await t.rejects(runPipelinedTransaction(connect, [cut]));
    const [[row]] = (await runPipelinedTransaction(connect, [
      { name: 'one', query: sql`select 1 as one`.compile(database) },
    ])) as [[unknown]];
    t.same(row, { one: 1 });
    t.equal(pool.idleCount, pool.totalCount);
  },
);
