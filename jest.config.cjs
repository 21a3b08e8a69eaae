const { availableParallelism } = require('node:os');

/**
 * Every suite, also by its path: `npx jest test/startup`. `npm test` uses `jest.developer.config.cjs`.
 *
 * @type {import('jest').Config}
 */
module.exports = {
  rootDir: __dirname,
  roots: [
    '<rootDir>/src',
    '<rootDir>/packages/access-tokens/src',
    '<rootDir>/packages/access-tokens/test',
    '<rootDir>/packages/http/src',
    '<rootDir>/packages/http/test',
    '<rootDir>/packages/mcp/src',
    '<rootDir>/packages/mcp/test',
    '<rootDir>/packages/pglite-server/src',
    '<rootDir>/packages/pglite-server/test',
    '<rootDir>/packages/postgres/src',
    '<rootDir>/packages/postgres/test',
    '<rootDir>/packages/scim-protocol/src',
    '<rootDir>/packages/scim-protocol/test',
    '<rootDir>/packages/testing/src',
    '<rootDir>/packages/testing/test',
    '<rootDir>/test',
    '<rootDir>/client/src',
    '<rootDir>/client/test',
    '<rootDir>/bench',
    '<rootDir>/examples/demo',
    '<rootDir>/examples/seat-limit',
  ],
  globalSetup: '<rootDir>/test/setup/build-and-database.ts',
  globalTeardown: '<rootDir>/test/setup/end-of-run.ts',
  // Each worker loads Nest, TypeORM and our sources once instead of once for each test file.
  testEnvironment: '<rootDir>/test/setup/shared-modules.environment.ts',
  testRunner: '<rootDir>/test/setup/shared-modules.runner.ts',
  // One more than there are cores, because some suites wait. On a server, the suites of a worker take connections.
  maxWorkers: Math.min(availableParallelism() + 1, 4),
  testMatch: ['**/*.spec.ts', '**/*.e2e-spec.ts', '**/*.system-spec.ts'],
  transform: {
    '\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', decorators: true, dynamicImport: true },
          transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
          keepClassNames: true,
        },
        module: { type: 'commonjs', ignoreDynamic: true },
      },
    ],
  },
  // It ends what hangs. A test on a busy machine is slow, and still right.
  testTimeout: 180_000,
};
