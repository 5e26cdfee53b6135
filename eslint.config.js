import { defineConfig, globalIgnores } from 'eslint/config';
import { configs, parser, plugin } from 'typescript-eslint';

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
    // Settings, the build script, and the scripts that run in browsers.
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
      parserOptions: { project: 'tsconfig.json', tsconfigRootDir: import.meta.dirname },
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
      // `||` also replaces empty strings.
      '@typescript-eslint/prefer-nullish-coalescing': ['error', { ignorePrimitives: true }],
      '@typescript-eslint/prefer-optional-chain': 'error',
      // Some assertions that look needless select Fastify's type parameters.
      '@typescript-eslint/no-unnecessary-type-assertion': 'off',
      '@typescript-eslint/return-await': ['error', 'error-handling-correctness-only'],
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/no-misused-promises': [
        'error',
        { checksVoidReturn: { arguments: false, inheritedMethods: false } },
      ],
      // Numbers and booleans are fine in templates.
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
      // Preact's types declare the browser's globals, which do not exist here.
      'no-restricted-globals': [
        'error',
        ...['document', 'window', 'location', 'history', 'name', 'event', 'status', 'origin'],
        ...['parent', 'top', 'self', 'length', 'close', 'stop', 'open', 'print', 'external'],
      ],
    },
  },
  {
    // Entry points pass process.env to loadConfig.
    files: ['src/main.ts', 'src/migrate.ts', 'src/staff/main.ts', 'src/config.ts'],
    rules: { 'no-restricted-properties': 'off' },
  },
  {
    files: ['src/platform/clock.ts', 'src/database/migrations/0001-calendar-and-bookings.ts'],
    rules: { 'no-restricted-syntax': 'off' },
  },
  {
    // Scripts and tests print to the terminal and read documents of unknown shape.
    files: ['scripts/**/*.ts', 'test/**/*.{ts,tsx}'],
    rules: {
      'no-console': 'off',
      '@typescript-eslint/no-base-to-string': 'off',
      '@typescript-eslint/restrict-template-expressions': 'off',
    },
  },
  {
    // A missing value makes the measurement worthless: it may throw.
    files: ['scripts/bench/**/*.ts'],
    rules: { '@typescript-eslint/no-non-null-assertion': 'off' },
  },
  {
    files: ['test/**/*.{ts,tsx}'],
    rules: {
      // tap awaits subtests itself.
      '@typescript-eslint/no-floating-promises': [
        'error',
        {
          allowForKnownSafeCalls: [
            { from: 'package', package: '@tapjs/core', name: ['test'] },
            { from: 'package', package: '@tapjs/test', name: ['test'] },
          ],
        },
      ],
      // Assertions check response bodies, not types.
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
