/**
 * `npm test`: every suite but those that start processes or a browser, for which the service would have to be built.
 *
 * @type {import('jest').Config}
 */
module.exports = {
  ...require('./jest.config.cjs'),
  testMatch: ['**/*.spec.ts', '**/*.e2e-spec.ts'],
  globalSetup: '<rootDir>/test/setup/database-template.ts',
  reporters: ['default', '<rootDir>/test/setup/left-out.reporter.cjs'],
};
