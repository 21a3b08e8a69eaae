import type { MigrationInterface } from 'typeorm';
import type { PluginActions } from '../contract/plugin-actions';

/** What a plugin has in the database beside the tables and SQL functions of the service. */
export interface DatabasePart {
  /** Its own folder. SQL functions are in the folders `sql` below it, and migrations in its folder `migrations`. */
  readonly folder: string;
  /** They are pending by name, whatever their time, so that a plugin can be put in later. */
  readonly migrations?: readonly (new () => MigrationInterface)[];
  /** The number of the release of its SQL functions, if it has any. */
  readonly sqlRelease?: number;
  /** The actions of its entries in the log. Where it is left out they are told, and are no filter. */
  readonly actions?: PluginActions;
}

/** The parts of an app besides the service itself. */
export const DATABASE_PARTS = Symbol('DATABASE_PARTS');
