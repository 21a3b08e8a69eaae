import type * as EraseWork from './erase-work';
import type * as Explain from './explain';
import type * as JournalWork from './journal-work';
import type * as WithDirectory from './with-directory';

interface Modules {
  './erase-work': typeof EraseWork;
  './explain': typeof Explain;
  './journal-work': typeof JournalWork;
  './with-directory': typeof WithDirectory;
}

/** Loads a module when a command needs it, because TypeORM and Nest take most of the time of a short command. */
export function load<Name extends keyof Modules>(name: Name): Modules[Name] {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- `import()` would need the extension of the build.
  return require(name) as Modules[Name];
}
