import type { DynamicModule, INestApplicationContext, Type } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Command } from 'commander';
import type { DataSource, EntityManager } from 'typeorm';
import type { ErrorForm } from '../answers/answers';
import type { Config } from '../config/config';
import type { DatabaseConfig } from '../config/database.config';
import type { ConfigPart } from '../config/config-part';
import type { Attribution } from '../contract/attribution';
import type { PluginErrors } from '../contract/plugin-errors';
import type { DatabasePart } from '../database/database-part';
import type { Rule } from '../database/rule';
import type { SignIn } from '../html-pages/sign-in';
import type { MonthHolder } from '../journal/journal-months';
import type { ActionCatalogue, DocumentPart } from '../openapi/document-part';
import type { UserTypeRule } from '../users/user-type/user-type-rule';

/**
 * What one can leave out of the service, or add to it: `createApp(config, { plugins })`, and `runProgram(argv, {
 * plugins })` for the command line. It knows the service by `door.ts`, and no other plugin.
 */
export interface Plugin extends DatabasePart, ConfigPart {
  /** Kinds of actors of its own, which its migration adds to the type `actor_kind`. */
  readonly actors?: readonly string[];
  /** Its refusals. Their sentences are in `messages` in its folder. */
  readonly errors?: PluginErrors;
  /** May refuse any change. */
  readonly rule?: Rule;
  /** Whom a file spares that deactivates whom it does not name. */
  readonly spares?: readonly Spared[];
  /** What an app has of it. Commands do not load it. */
  app?(): AppPart;
  /** Adds its commands. */
  commands?(program: Command, tools: CommandTools): void;
  /** Holds the months of the journal that it still needs. */
  months?(): MonthHolder;
}

/** A plugin in an app. */
export interface AppPart {
  /** Its routes and services. Whatever its migrations made is there once the database is ready. */
  readonly module?: Type | DynamicModule;
  /** Below this path several slashes are one. */
  readonly joinsSlashesBelow?: string;
  /** Its groups of operations, schemas and requests in the OpenAPI document, from the actions of the app. */
  describe?(actions: ActionCatalogue): DocumentPart;
  /** A page for people, which a start names. */
  page?(config: Config): PageForPeople | undefined;
  /** The forms of refusals below paths whose protocol has one of its own. */
  readonly errorForms?: readonly ErrorForm[];
  /** Adds routes that Express answers before those of Nest, without guards. */
  publicRoutes?(app: NestExpressApplication, signIn: SignIn | undefined): void;
  /**
   * Fills an empty embedded directory at the first start of the program.
   *
   * @returns the administrators of the demo directory, if the directory began as one
   */
  firstRun?(app: INestApplicationContext, demos: readonly Demo[]): Promise<readonly string[] | undefined>;
  /** What it adds to the demo directory, in the order of the plugins. */
  readonly demo?: Demo;
  /** Ends what no request waits for, when the program has been told to stop. */
  stop?(app: INestApplicationContext): Promise<void>;
}

/** A page that a start names. */
export interface PageForPeople {
  /** In the log. */
  readonly name: string;
  readonly label: string;
  readonly path: string;
}

export type Demo = (manager: EntityManager, attribution: Attribution) => Promise<void>;

/** Users whom such a file leaves alone. */
export interface Spared {
  /** One word, by which they are counted. */
  readonly reason: string;
  /** What the command line says of them, after their number. */
  readonly told: string;
  /** The condition, in SQL, for a row of `users`. */
  readonly condition: string;
}

/** What a command can use. It loads the rest itself, when it runs. */
export interface CommandTools {
  /** The plugins of the program. */
  readonly plugins: readonly Plugin[];
  /** The program's own rule of user types. */
  readonly userTypeRule: UserTypeRule | undefined;
  /**
   * Opens the configured directory, migrates it if anything is pending, runs `work`, and closes it.
   *
   * @param mustWrite false for work that only reads: then a standby can be opened as well
   */
  withDirectory<T>(
    work: (dataSource: DataSource, config: DatabaseConfig) => Promise<T>,
    mustWrite?: boolean,
  ): Promise<T>;
}

/** The plugins of an app, for one that serves the others. */
export const APP_PLUGINS = Symbol('APP_PLUGINS');
/** What an app has of its plugins. */
export const APP_PARTS = Symbol('APP_PARTS');

/** What a plugin declares before an app exists. */
export { type SettingsReader, settingsOf } from '../config/config-part';
export { PluginActions } from '../contract/plugin-actions';
export { PluginErrors } from '../contract/plugin-errors';
