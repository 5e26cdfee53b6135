/**
 * What is shipped ends in `!`: `knip --production` sees only that, and fails on a dependency that none of
 * it imports. What imports a package is an entry, whatever its language.
 *
 * @type {import('knip').KnipConfig}
 */
export default {
  entry: [
    'src/main.ts!',
    'src/migrate.ts!',
    'src/client/{client,types,webhooks}.ts!',
    'src/staff/main.ts!',
    'src/database/migrations/{[0-9]*,baseline/baseline}.ts!',
    'src/web/assets/*.{js,css}!',
    'generated/client.ts!',
    'scripts/*.{ts,js}',
    'scripts/tools/load.js',
    'scripts/bench/*.ts',
    'scripts/mutants/{run,kill,reached-preload}.ts',
    'scripts/examples/*.mjs',
    'scripts/bench/programs/*.{ts,js}',
    'test/**/*.test.{ts,tsx}',
    'test/long/*.ts',
    'test/domain/move-race/process.ts',
    'test/support/{run,suite,chat-page,preload,embedded-service,loaded-preload}.ts',
  ],
  project: [
    'src/**/*.{ts,tsx}!',
    'src/web/assets/**/*.{js,css}!',
    'generated/**/*.ts!',
    'scripts/**/*.{ts,tsx,js,mjs,cjs}',
    'test/**/*.{ts,tsx}',
  ],
  compilers: {
    /** A stylesheet names its parts, and a font by its file in a package. */
    css: (text) =>
      [...text.matchAll(/(?:@import |url\()('[^']+')/g)]
        .map(([, file]) => `import ${file};`)
        .join('\n'),
  },
  // Programs that the command lines of scripts/check.ts name.
  ignoreDependencies: ['@redocly/cli', 'oxlint', 'oxlint-tsgolint', 'typescript-newest'],
  'dependency-cruiser': {
    config: ['scripts/settings/dependency-cruiser.cjs'],
  },
  ignoreExportsUsedInFile: { interface: true, type: true },
  ignoreIssues: { 'generated/**': ['exports', 'types'] },
};
