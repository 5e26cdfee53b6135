import { defineConfig, globalIgnores } from 'eslint/config';
import { configs, parser, plugin } from 'typescript-eslint';

const projectRoot = new URL('../..', import.meta.url).pathname;

const clockReads = [
  {
    selector: "CallExpression[callee.object.name='Date'][callee.property.name='now']",
    message: 'Time comes from context.clock, or from the database where the database decides.',
  },
  {
    selector: "NewExpression[callee.name='Date'][arguments.length=0]",
    message: 'Time comes from context.clock, or from the database where the database decides.',
  },
  {
    selector:
      'TemplateElement[value.raw=/\\b(clock_timestamp|(statement|transaction|current|local)_?timestamp|current_(date|time)|now\\(\\))/i]',
    message: 'booking_now() is the clock of the database that decides.',
  },
  {
    selector: "CallExpression[callee.property.name=/^(instant|.*ISO)$/][callee.object.name='Now']",
    message: 'Time comes from context.clock, or from the database where the database decides.',
  },
];

const testSlips = [
  {
    selector: "CallExpression[callee.property.name=/^(only|todo)$/][callee.object.name='t']",
    message: 'Every test runs.',
  },
  {
    selector: "NewExpression[callee.name='Promise'] CallExpression[callee.name='setTimeout']",
    message: 'No sleeping: drain, wait for the event, or shift the clock (test/support).',
  },
];

export default defineConfig(
  globalIgnores(['dist/', 'generated/', 'node_modules/', '.tap/', 'data/', 'coverage/']),
  {
    linterOptions: { reportUnusedDisableDirectives: 'error', reportUnusedInlineConfigs: 'error' },
  },
  {
    // Plain JavaScript: the settings and the build, which run without a compiler, and the scripts
    // that pages send to browsers.
    files: ['**/*.{js,mjs,cjs}'],
    rules: {
      eqeqeq: 'error',
      'no-var': 'error',
      'prefer-const': 'error',
      'no-unused-vars': 'error',
    },
  },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [configs.recommendedTypeChecked],
    languageOptions: {
      parser,
      parserOptions: { project: `${projectRoot}tsconfig.json`, tsconfigRootDir: projectRoot },
    },
    plugins: { '@typescript-eslint': plugin },
    rules: {
      '@typescript-eslint/consistent-type-imports': [
        'error',
        { fixStyle: 'inline-type-imports', disallowTypeAnnotations: false },
      ],
      '@typescript-eslint/no-import-type-side-effects': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-unnecessary-type-arguments': 'error',
      '@typescript-eslint/no-deprecated': 'error',
      // `||` on a string is how an empty one is replaced too.
      '@typescript-eslint/prefer-nullish-coalescing': ['error', { ignorePrimitives: true }],
      '@typescript-eslint/prefer-optional-chain': 'error',
      // Assertions that look needless choose the type parameters of Fastify and of generics.
      '@typescript-eslint/no-unnecessary-type-assertion': 'off',
      '@typescript-eslint/return-await': ['error', 'error-handling-correctness-only'],
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/no-misused-promises': [
        'error',
        { checksVoidReturn: { arguments: false, inheritedMethods: false } },
      ],
      // A template may hold a number or a boolean; anything else is a slip.
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      // Fastify handlers and plugins are async whether or not they wait.
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      // `== null` means null and undefined, on purpose.
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'max-lines': ['error', { max: 280 }],
      'no-console': 'error',
      'no-else-return': 'error',
      'no-implicit-globals': 'error',
      'no-param-reassign': 'error',
      'no-return-assign': 'error',
      'no-useless-concat': 'error',
      'object-shorthand': 'error',
      'prefer-template': 'error',
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportDefaultDeclaration', message: 'Named exports.' },
      ],
    },
  },
  {
    files: ['src/**/*.{ts,tsx}'],
    rules: {
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportDefaultDeclaration', message: 'Named exports.' },
        ...clockReads,
      ],
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'src/config.ts reads the environment.' },
      ],
      // The page library brings the browser's global names, which mean nothing in this process.
      'no-restricted-globals': [
        'error',
        ...['document', 'window', 'location', 'history', 'name', 'event', 'status', 'origin'],
        ...['parent', 'top', 'self', 'length', 'close', 'stop', 'open', 'print', 'external'],
      ],
    },
  },
  {
    // The start hands the environment to the config; the clock is where time comes from.
    files: ['src/main.ts', 'src/migrate.ts', 'src/staff/main.ts', 'src/config.ts'],
    rules: { 'no-restricted-properties': 'off' },
  },
  {
    files: ['src/platform/clock.ts', 'src/database/migrations/0001-calendar-and-bookings.ts'],
    rules: { 'no-restricted-syntax': 'off' },
  },
  {
    // A process of its own that speaks to whoever runs it, and reads documents of unknown shape.
    files: ['scripts/**/*.ts', 'test/**/*.{ts,tsx}'],
    rules: {
      'no-console': 'off',
      '@typescript-eslint/no-base-to-string': 'off',
      '@typescript-eslint/restrict-template-expressions': 'off',
    },
  },
  {
    // What a measurement asks for is there, or the measurement is worth nothing.
    files: ['scripts/bench/**/*.ts'],
    rules: { '@typescript-eslint/no-non-null-assertion': 'off' },
  },
  {
    files: ['test/**/*.{ts,tsx}'],
    rules: {
      // tap's subtests are promises that the parent waits for by itself.
      '@typescript-eslint/no-floating-promises': [
        'error',
        {
          allowForKnownSafeCalls: [
            { from: 'package', package: '@tapjs/core', name: ['test'] },
            { from: 'package', package: '@tapjs/test', name: ['test'] },
          ],
        },
      ],
      // An answer's body is judged by the assertion, not by its type.
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  {
    files: ['test/**/*.test.{ts,tsx}'],
    rules: {
      'no-restricted-syntax': ['error', ...testSlips],
      'no-restricted-imports': [
        'error',
        { paths: [{ name: 'node:timers/promises', importNames: ['setTimeout'] }] },
      ],
    },
  },
);
