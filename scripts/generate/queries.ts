import { readdir } from 'node:fs/promises';
import { join, parse } from 'node:path';
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely';
import { packageRoot } from '../../src/platform/package-root.js';

const folder = join(packageRoot(), 'src/repositories');

/** Of the function that is being called. */
let statements: string[] = [];

/** Records what it is asked, and answers with no rows. */
const database = new Kysely<object>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (kysely) => new PostgresIntrospector(kysely),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
  log: ({ query }) => void statements.push(query.sql),
});

const client = {
  query(query: string | { text: string }) {
    statements.push(typeof query === 'string' ? query : query.text);
    return Promise.resolve({ rows: [] });
  },
  release: () => undefined,
};
const connect = () => Promise.resolve(client);

/** The arguments of functions that take more than a database and what `standIn` can stand for. */
const particular: Readonly<Record<string, unknown[]>> = {
  cancelBooking: [database, 'id', 'confirmed', 'person'],
  changeChoice: [database, 'id', 'asked'],
  claimDueMails: [database, connect],
  insertHold: [database, connect],
  insertImported: [database, 'bookings', [{ id: 'id' }], ['id']],
  moveForPerson: [database, connect],
  setNote: [database, 'studio_note'],
};

/** They ask nothing of their own: of what they return or get, others make statements. */
const fragments = new Set([
  'bookedArtists',
  'expireLapsedHolds',
  'freeArtist',
  'isClosed',
  'isOfClient',
  'isOfPersonWith',
  'isSelected',
  'parseDueDeliveries',
  'recordBookingEvents',
  'spendProof',
  'takeSlot',
]);

/**
 * The statements of each file of `repositories/` as SQL, by the name of their file here: each function
 * is called once, with values that stand for its arguments.
 */
export async function emitQueries(): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (const file of (await readdir(folder)).sort()) {
    const exported = Object.entries((await import(join(folder, file))) as object);
    const functions = exported.filter(([, value]) => typeof value === 'function');
    const texts: string[] = [];
    for (const [name, run] of functions.sort(([one], [other]) => (one < other ? -1 : 1))) {
      statements = [];
      await call(name, run as AnyFunction);
      if (statements.length > 0) texts.push(`-- ${name}\n${statements.map(lines).join('\n\n')}`);
    }
    if (texts.length === 0) continue;
    const heading = `-- The statements of src/repositories/${file}. An argument that may be missing is given.`;
    files.set(`queries/${parse(file).name}.sql`, `${[heading, ...texts].join('\n\n')}\n`);
  }
  return files;
}

type AnyFunction = (...args: unknown[]) => unknown;

async function call(name: string, run: AnyFunction): Promise<void> {
  const others = Array.from({ length: 6 }, (_, index) => standIn(`argument ${index}`));
  try {
    const result = await run(...(particular[name] ?? [database]), ...others);
    if (isIterator(result)) await result.next();
  } catch (error) {
    // A function that needs a row fails once it has asked for it.
    if (statements.length > 0 || fragments.has(name)) return;
    throw new Error(`${name} cannot be called with what stands for its arguments`, {
      cause: error,
    });
  }
}

function isIterator(value: unknown): value is AsyncIterator<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

function apply(method: unknown, value: unknown, args: unknown[]): unknown {
  return Reflect.apply(method as AnyFunction, value, args);
}

/** Stands for a record of such values, a list of one, a text, a number and a date. */
function standIn(name: string): unknown {
  const list = () => [standIn(name)];
  const members: Record<string | symbol, unknown> = {
    [Symbol.toPrimitive]: (hint: string) => (hint === 'number' ? 1 : name),
    [Symbol.iterator]: () => list()[Symbol.iterator](),
    length: 1,
    then: undefined,
    toJSON: () => name,
    getTime: () => 1,
    keys: list,
    values: list,
    entries: list,
  };
  for (const method of ['map', 'flatMap', 'filter', 'slice', 'some', 'every', 'find'] as const)
    members[method] = (...args: unknown[]) => apply(Array.prototype[method], list(), args);
  for (const method of ['trim', 'toLowerCase', 'replaceAll'] as const)
    members[method] = (...args: unknown[]) => apply(String.prototype[method], name, args);
  const get = (_target: object, key: string | symbol): unknown => {
    if (Object.hasOwn(members, key)) return members[key];
    // What Kysely asks of any value.
    const isAsked =
      typeof key === 'symbol' || /^(?:is[A-Z]|toOperationNode|expressionType)/.test(key);
    return isAsked ? undefined : standIn(key);
  };
  return new Proxy({}, { get });
}

const clause =
  / (?=(?:from|(?:left|inner) join|where|order by|limit|returning|on conflict|set|values) )/g;

/** A statement without the indentation of the code; a query builder's gets line breaks. */
function lines(statement: string): string {
  const isOneLine = !statement.includes('\n');
  const split = statement.split(isOneLine ? clause : '\n').filter((line) => line.trim() !== '');
  const indent = Math.min(...split.map((line) => line.search(/\S/)));
  return `${split.map((line) => line.slice(indent).trimEnd()).join('\n')};`;
}
