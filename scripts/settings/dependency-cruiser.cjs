const { imports, places } = require('./import-table.cjs');

const anyOf = (names) => names.map((name) => `^${places[name]}`);
const ours = '^(src|generated)/';
const opentelemetry = '^src/platform/tracing/opentelemetry/';
const isNotTypeOnly = { dependencyTypesNot: ['type-only'] };

const rules = [
  ...Object.entries(imports).map(([name, allowed]) => ({
    name: `${name}-imports`,
    comment: `${name} may import ${allowed.join(', ') || 'nothing of ours'} (scripts/settings/import-table.cjs).`,
    severity: 'error',
    from: { path: anyOf([name]) },
    to: { path: ours, pathNot: anyOf([name, ...allowed]) },
  })),
  {
    name: 'every-folder-is-in-the-table',
    comment: 'A new folder of src needs a line in scripts/settings/import-table.cjs.',
    severity: 'error',
    from: {},
    to: { path: '^src/[^/]+/', pathNot: anyOf(Object.keys(imports)) },
  },
  {
    name: 'src-stands-without-test-and-scripts',
    comment: 'What ships must not need what does not.',
    severity: 'error',
    from: { path: ours },
    to: { path: '^(test|scripts)/' },
  },
  {
    name: 'rules-open-no-database',
    comment: 'They are given a Kysely or a Transaction, and know the tables by their types.',
    severity: 'error',
    from: { path: anyOf(['domain']) },
    to: { path: anyOf(['database']), ...isNotTypeOnly },
  },
  {
    name: 'a-person-books-without-the-studio',
    comment: 'What the person and their agent do needs nothing of what the studio does.',
    severity: 'error',
    from: { path: '^src/domain/booking/' },
    to: { path: '^src/domain/studio/' },
  },
  {
    name: 'sql-is-spoken-in-repositories',
    comment:
      'Only repositories and database speak SQL; others take a Kysely or a Transaction by its type.',
    severity: 'error',
    from: { path: '^src/', pathNot: anyOf(['repositories', 'database']) },
    to: { path: 'node_modules/kysely/', ...isNotTypeOnly },
  },
  {
    name: 'connections-are-opened-in-database',
    comment: 'Only database knows the driver, and jobs, which make the pool that BullMQ works on.',
    severity: 'error',
    from: { path: '^src/', pathNot: anyOf(['repositories', 'database', 'jobs']) },
    to: { path: 'node_modules/(pg|pg-copy-streams)/', ...isNotTypeOnly },
  },
  {
    name: 'bullmq-is-spoken-in-jobs',
    comment: 'Only jobs and the migrations know BullMQ.',
    severity: 'error',
    from: { path: '^src/', pathNot: anyOf(['jobs', 'database']) },
    to: { path: 'node_modules/bullmq/', ...isNotTypeOnly },
  },
  {
    name: 'opentelemetry-is-spoken-in-one-folder',
    comment: 'Others know the interface Tracing.',
    severity: 'error',
    from: { path: '^src/', pathNot: opentelemetry },
    to: { path: 'node_modules/(@opentelemetry|@fastify/otel|bullmq-otel)/' },
  },
  {
    name: 'opentelemetry-is-loaded-when-on',
    comment: 'Without traces, none of it is loaded: import it dynamically.',
    severity: 'error',
    from: { path: '^src/', pathNot: opentelemetry },
    to: { path: opentelemetry, dynamic: false },
  },
  {
    name: 'domain-knows-no-transport',
    comment: 'The rules of the studio know no HTTP and no queue.',
    severity: 'error',
    from: { path: anyOf(['domain', 'schedule', 'board', 'views', 'repositories']) },
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
    comment: 'Modules that need each other, if only for a type.',
    severity: 'error',
    from: {},
    to: { circular: true },
  },
  {
    name: 'no-orphan',
    comment: 'A module that imports nothing and that nothing imports.',
    severity: 'error',
    from: {
      orphan: true,
      path: ours,
      pathNot: ['^src/(client|web/assets)/', '^generated/client[.]ts$'],
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
