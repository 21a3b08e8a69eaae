/* eslint-disable no-restricted-syntax -- It passes on what others declare, so that a plugin needs no other file. */
/**
 * The door: all that a plugin may know of the service, which knows nothing of plugins. `examples/seat-limit` is one.
 * ESLint permits a plugin no other file of the service.
 *
 * Of the database, the SQL of a plugin may read `users`, `workspaces`, `groups`, `permissions`, the memberships and
 * grants between them (`workspace_memberships`, `group_memberships`, `user_permissions`, `workspace_permissions`,
 * `group_permissions`) and the log (`journal_inbox`, `journal_changes`, `journal_personal`, `journal_head`,
 * `journal_seals`, `journal_pruned`). It writes its own tables alone, and changes sets of locked users by
 * `add_memberships`, `remove_memberships`, `set_ends`, `set_statuses` and `retype_members`. `test/plugins/sql-names`
 * has the functions that it may call, and reads all its SQL.
 *
 * Two names are hooks: `standing_of_<kind>(actor_id)` answers for actors of the kind, and `undo_besides_<plugin>(users,
 * workspaces, groups, begins)` takes back what the plugin keeps of memberships that an undoing has restored.
 */

/** What `createApp` and `runProgram` take, and its parts. */
export type { AppPart, CommandTools, Demo, Plugin, Spared } from './plugin';
/** The plugins of this app, for one that serves the others. */
export { APP_PLUGINS } from './plugin';
/** May refuse any change in its transaction, and what it is told of one. */
export type { RecordedChange, Rule } from '../database/rule';
/** Refusals of its own. */
export { PluginErrors } from '../contract/plugin-errors';
/** Refusals of the service. */
export { ServiceError } from '../contract/errors';

/** One unit of work, repeated as a whole after a conflict. */
export { Transactions } from '../database/transactions';
/** Judges the caller once more: after the locks of a change, and before its first write. */
export { type Judged, judgeCaller } from '../auth/judge-caller';
/** Locks records by their ids, in the one order: permissions, workspaces, groups, users. */
export { lockExisting } from '../directory/locked-records';
/** Appends the entries of a judged change to the journal. */
export { Journal } from '../journal/journal';
/** Provides {@link Journal} and {@link Sealer}. */
export { JournalModule } from '../journal/journal.module';
/** Tells of news in the log. */
export { Sealer } from '../journal/sealer';
/** Holds months of the journal. */
export { type MonthHolder, NotPrunableError } from '../journal/journal-months';
/** Is ready once the schema is in place. */
export { DatabaseStartup } from '../database/database-startup';

/** How a change was requested, for a handler and its use case. */
export { type ChangeContext, CurrentChange } from '../auth/change-context';
/** Who changes something that nobody requested. */
export type { Attribution } from '../contract/attribution';
/** Routes for administrators, for readers as well, and for everybody: any other route is refused. */
export { AdministratorEndpoint, ReaderEndpoint } from '../auth/guarded-endpoint.decorators';
export { Public } from '../auth/public.decorator';
/** Bodies and queries by a class, and the rule of a field. */
export { ValidatedBody, ValidatedObject, ValidatedQuery } from '../server/validated.decorators';
export { Field } from '../server/body-field.decorators';
/** What a record answers: lists, one of them, a creation, a deletion. */
export { CreateEndpoint, DeleteEndpoint, ListEndpoint, ReadEndpoint } from '../records/record-endpoints.decorators';
/** The bounds of what crosses the wire, and what can be an id. */
export { LIMITS } from '../contract/limits';
export { isIdentifier } from '../contract/identifiers';
/** The columns of the log and of what stands beside it, and what callers are told of a change. */
export { CHANGE_COLUMNS, type ChangeRow, JOIN_PERSONAL, toldFacts } from '../journal/change-row';
/** The settings of the service. */
export { CONFIG, type Config } from '../config/config';
/** Registers metrics; `HealthModule` provides it. */
export { Metrics } from '../health/metrics';
export { HealthModule } from '../health/health.module';
