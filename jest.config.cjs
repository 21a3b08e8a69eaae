// Nest 12 and a few others ship ES modules only; Jest runs CommonJS, so those packages are compiled like our own sources.
const esmOnly = ['@nestjs', '@formatjs', 'intl-messageformat', 'uuid', 'jose', '@electric-sql', 'negotiator'];

/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: 'node',
  rootDir: __dirname,
  roots: ['<rootDir>/src', '<rootDir>/test', '<rootDir>/client/src', '<rootDir>/client/test'],
  globalSetup: '<rootDir>/test/setup/snapshot-database.ts',
  testMatch: ['**/*.spec.ts', '**/*.e2e-spec.ts'],
  transform: {
    '^.+\\.[cm]?[jt]s$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', decorators: true, dynamicImport: true },
          transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
          keepClassNames: true,
        },
        module: { type: 'commonjs' },
      },
    ],
  },
  transformIgnorePatterns: [`/node_modules/(?!(${esmOnly.join('|')})/)`],
  testTimeout: 30_000,
};
