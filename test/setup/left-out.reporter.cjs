const { readdirSync } = require('node:fs');

/** Says at the end of a whole run which suites it did not contain, and how to run them. */
module.exports = class LeftOutReporter {
  constructor(globalConfig) {
    this.isWholeRun = globalConfig.testPathPatterns.patterns.length === 0;
  }

  onRunComplete(contexts, { numPendingTests }) {
    if (!this.isWholeRun) return;
    const [{ config }] = contexts;
    const files = config.roots.flatMap((root) => readdirSync(root, { recursive: true }));
    const suites = files.filter((file) => file.endsWith('.system-spec.ts'));
    const left = [`Left out: ${suites.length} suites that start processes or a browser. Run them: npm run test:system`];
    if (numPendingTests > 0)
      left.push(
        `Left out: ${numPendingTests} tests that need a PostgreSQL server, such as all races. Run them: TEST_DATABASE_URL=postgres://… npm test`,
      );
    // After Jest's own summary.
    process.once('exit', () => process.stderr.write(`${left.join('\n')}\n`));
  }
};
