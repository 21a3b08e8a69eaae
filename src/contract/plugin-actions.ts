import { JOURNAL_ACTIONS } from './journal';

/** What is to be known of an action of a plugin. */
export interface ActionNotes {
  /** Its meaning, for the OpenAPI document: a sentence without a full stop. */
  readonly summary: string;
  /** Facts as an example, if it is an event for other systems. Actions about the plugin itself are none. */
  readonly event?: { readonly before: object | null; readonly after: object | null };
  /** A request with this action may do anything. Undo takes back what it can undo, and passes over the rest. */
  readonly isUndoneInPart?: true;
}

/** An entry of a plugin, made by {@link PluginActions.entry}. */
export interface PluginEntry {
  action: string & { readonly ofPlugin: true };
  user?: string;
  workspaces?: readonly string[];
  before?: object;
  after?: object;
}

/** Every action that a program has, and whether it is an event: checks of shape know no app. */
const DECLARED = new Map<string, boolean>(JOURNAL_ACTIONS.map((action) => [action, true]));

/**
 * The actions of a plugin in the log, each with its facts. Actions are never renamed or reused: stored entries contain
 * them, and callers branch on them.
 *
 * @example
 * const ACTIONS = new PluginActions<{ 'seats.limited': { seats: number } }>({
 *   'seats.limited': { summary: 'The seats of a workspace were limited' },
 * });
 * await journal.append(manager, judged, [
 *   ACTIONS.entry('seats.limited', { workspaces: ['atlas'], after: { seats: 10 } }),
 * ]);
 */
export class PluginActions<Facts extends object = Record<string, object>> {
  constructor(readonly catalogue: { readonly [Action in keyof Facts]: ActionNotes }) {
    for (const [action, { event }] of Object.entries<ActionNotes>(catalogue)) DECLARED.set(action, event !== undefined);
  }

  entry<Action extends keyof Facts & string>(
    action: Action,
    entry: Omit<PluginEntry, 'action' | 'before' | 'after'> & { before?: Facts[Action]; after?: Facts[Action] },
  ): PluginEntry {
    return { action, ...entry } as unknown as PluginEntry;
  }

  /** The actions of requests that undo takes back only in part. */
  undoneInPart(): string[] {
    return Object.entries<ActionNotes>(this.catalogue).flatMap(([action, notes]) =>
      notes.isUndoneInPart ? action : [],
    );
  }
}

/** Whether the service or one of the plugins that were loaded has the action. An app can lack this plugin. */
export function isDeclaredAction(action: unknown): boolean {
  return DECLARED.has(action as string);
}

/** The actions that are events for other systems: those of the service, then those of the plugins that were loaded. */
export function declaredEvents(): string[] {
  return [...DECLARED].flatMap(([action, isEvent]) => (isEvent ? action : []));
}
