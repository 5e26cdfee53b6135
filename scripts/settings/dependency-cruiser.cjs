/**
 * "Imports go one way" (README, the map of src). One table says what each layer may import; every
 * rule below is made from it. What is not listed is forbidden, also in a folder that is new.
 * `types` are imports that vanish when compiled (`import type`), allowed in addition.
 */

/** They know everyone and put the service together; nobody else imports them. */
const roots = '(main|migrate|start-failure|service|background|app|context|gauges)[.]ts$';

/** The rooms, as paths from the project's root. */
const rooms = {
  context: 'src/context[.]ts$',
  /** What everyone may use: errors, config, clock, log, security and the like. */
  foundation: `src/((?!${roots})[^/]+[.]ts$|security/)`,
  generated: 'generated/',
  /** Budgets and the stores that count them. */
  limits: 'src/limits/',
  database: 'src/database/',
  repositories: 'src/repositories/',
  /** The studio's week as pure functions: the part of the domain that views and board share. */
  calendar: 'src/domain/(calendar|dates|slots|slot-label)[.]ts$',
  domain: 'src/domain/',
  views: 'src/views/',
  events: 'src/events/',
  board: 'src/events/board[.]ts$',
  queues: 'src/queues/',
  webhooks: 'src/webhooks/',
  http: 'src/http/',
  /**
   * What every entrance that is served over HTTP shares: who calls, how input is validated, what
   * answers are kept, and how failures are charged and sent.
   */
  plumbing: 'src/http/((board-answers|callers?|conditional|settle|validation)[.]ts$|plugins/)',
  mcp: 'src/mcp/',
  pages: 'src/pages/',
  staff: 'src/staff/',
  workers: 'src/workers/',
  client: 'src/client/',
};

const entrance = ['foundation', 'generated', 'limits', 'domain', 'views', 'board'];
const entranceTypes = ['context', 'repositories', 'database'];
const exit = ['foundation', 'database', 'repositories', 'views', 'calendar'];
const exitTypes = ['context', 'generated'];

/** Every layer: what it may import beside itself, and what only as types. */
const layers = {
  foundation: { may: [], types: ['context', 'generated', 'database'] },
  generated: { may: [], types: [] },
  limits: { may: ['foundation'], types: ['context', 'generated'] },
  database: { may: ['foundation'], types: ['context'] },
  repositories: { may: ['database'], types: ['context', 'foundation', 'generated', 'calendar'] },
  calendar: { may: [], types: ['generated'] },
  views: {
    may: ['foundation', 'calendar'],
    types: ['context', 'generated', 'repositories', 'database'],
  },
  domain: {
    may: ['foundation', 'repositories', 'views'],
    types: ['context', 'generated', 'database', 'events', 'limits'],
  },
  events: { may: [...exit, 'queues'], types: exitTypes },
  queues: { may: exit, types: exitTypes },
  webhooks: { may: exit, types: exitTypes },
  http: { may: entrance, types: entranceTypes },
  mcp: { may: [...entrance, 'plumbing'], types: entranceTypes },
  pages: { may: [...entrance, 'plumbing'], types: entranceTypes },
  /** Its commands also look after the database itself: save, restore, examine. */
  staff: { may: [...entrance, 'database', 'queues'], types: entranceTypes },
  /** Jobs come back from the queues here, and the sweeper mends what the exits have lost. */
  workers: { may: [...entrance, 'queues', 'events'], types: [...entranceTypes, 'webhooks'] },
  client: { may: ['generated'], types: [] },
};

const anyOf = (names) => names.map((name) => `^${rooms[name]}`);
const ours = '^(src|generated)/';
const isTypeOnly = { dependencyTypes: ['type-only'] };
const isNotTypeOnly = { dependencyTypesNot: ['type-only'] };

function layerRules(layer) {
  // The calendar lies in the domain's room, and has a stricter rule of its own.
  const from = { path: anyOf([layer]), pathNot: layer === 'domain' ? anyOf(['calendar']) : [] };
  const { may, types } = layers[layer];
  const sentence = (names) => names.join(', ') || 'nothing of ours';
  return [
    {
      name: `${layer}-imports`,
      comment: `${layer} may import ${sentence(may)}; as types also ${sentence(types)}.`,
      severity: 'error',
      from,
      to: { path: ours, pathNot: anyOf([layer, ...may]), ...isNotTypeOnly },
    },
    {
      name: `${layer}-type-imports`,
      comment: `${layer} may import as types ${sentence([...may, ...types])}.`,
      severity: 'error',
      from,
      to: { path: ours, pathNot: anyOf([layer, ...may, ...types]), ...isTypeOnly },
    },
  ];
}

const rules = [
  ...Object.keys(layers).flatMap(layerRules),
  {
    name: 'every-folder-is-a-layer',
    comment:
      'A new folder of src needs a row in the table of scripts/settings/dependency-cruiser.cjs.',
    severity: 'error',
    from: {},
    to: { path: '^src/[^/]+/', pathNot: anyOf(Object.keys(layers)) },
  },
  {
    name: 'src-stands-without-test-and-scripts',
    comment: 'What ships must not need what does not.',
    severity: 'error',
    from: { path: ours },
    to: { path: '^(test|scripts)/' },
  },
  {
    name: 'sql-is-spoken-in-repositories',
    comment:
      'Only repositories and database speak SQL; others take a Kysely or a Transaction by its type. ' +
      'Queues make the pool that BullMQ works on.',
    severity: 'error',
    from: { path: '^src/', pathNot: anyOf(['repositories', 'database', 'queues']) },
    to: { path: 'node_modules/(kysely|pg|pg-copy-streams)/', ...isNotTypeOnly },
  },
  {
    name: 'bullmq-is-spoken-in-queues',
    comment: 'Only queues, workers and the migrations know BullMQ.',
    severity: 'error',
    from: { path: '^src/', pathNot: anyOf(['queues', 'workers', 'database']) },
    to: { path: 'node_modules/bullmq/', ...isNotTypeOnly },
  },
  {
    name: 'domain-knows-no-transport',
    comment: 'The rules of the studio know no HTTP and no queue.',
    severity: 'error',
    from: { path: anyOf(['domain', 'views', 'repositories']) },
    to: {
      path: '(node_modules/(fastify|@fastify/[^/]+|undici|ioredis)/|^(node:)?https?$|^(node:)?net$)',
    },
  },
  {
    name: 'client-runs-in-browsers',
    comment: 'What consumers load runs wherever fetch is, and brings two small packages along.',
    severity: 'error',
    from: { path: anyOf(['client']) },
    to: {
      pathNot: ['^(src|generated)/', 'node_modules/(openapi-fetch|standardwebhooks)/'],
      ...isNotTypeOnly,
    },
  },
  {
    name: 'no-circle',
    comment: 'Modules that need each other when they load. Circles of types alone are harmless.',
    severity: 'error',
    from: {},
    to: { circular: true, viaOnly: isNotTypeOnly },
  },
  {
    name: 'no-orphan',
    comment: 'A module that imports nothing and that nothing imports.',
    severity: 'error',
    from: {
      orphan: true,
      path: ours,
      pathNot: ['^src/(client|pages/assets)/', '^generated/client[.]ts$'],
    },
    to: {},
  },
  {
    name: 'no-development-dependency',
    comment: 'What ships may use dependencies only: move the package in package.json.',
    severity: 'error',
    from: { path: ours },
    to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'no-undeclared-dependency',
    comment: 'The package is not in package.json.',
    severity: 'error',
    from: {},
    to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
  },
  {
    name: 'no-unresolvable-import',
    comment: 'There is no such file or package.',
    severity: 'error',
    from: {},
    to: { couldNotResolve: true },
  },
];

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: rules,
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: 'specify',
    combinedDependencies: false,
    skipAnalysisNotInRules: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      mainFields: ['module', 'main', 'types'],
    },
  },
};
