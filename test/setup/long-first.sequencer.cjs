const Sequencer = require('@jest/test-sequencer').default;

/** They are small and take long, because they start processes or wait. Without durations, Jest goes by the size of a file. */
const LONG = [
  'test/browser/',
  'test/testing/',
  'test/demo/',
  'test/cli/',
  'test/startup/',
  'test/database/cannot-write',
  'test/database/embedded-',
  'test/database/frozen-database',
  'test/database/replica-reads',
  'test/contract/database-away',
  'test/journal/follow',
  'test/server/endings',
  'test/server/fair-use-log',
  'test/server/slow-callers',
  'test/users/dry-run',
  'test/webhooks/processes',
  'test/webhooks/resolve-host',
  'test/webhooks/stopping',
  'client/test/active-users',
  'client/test/calls',
  'client/test/faults',
  'client/test/pages',
  'client/test/sources',
];

/** Starts with the longest files, also in the first run of a clone, so that no worker is left with one of them at the end. */
module.exports = class LongFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    if (sorted.some(({ duration }) => duration !== undefined)) return sorted;
    const isLong = ({ path, context }) => LONG.some((name) => path.startsWith(`${context.config.rootDir}/${name}`));
    return [...sorted.filter(isLong), ...sorted.filter((test) => !isLong(test))];
  }
};
