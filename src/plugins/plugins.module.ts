import { join } from 'node:path';
import { type DynamicModule, Module } from '@nestjs/common';
import { JOURNAL_ACTION_SUMMARIES } from '../contract/journal';
import type { ActionNotes } from '../contract/plugin-actions';
import type { Rule } from '../database/rule';
import { type ActionCatalogue, DOCUMENT_PARTS, type DocumentParts } from '../openapi/document-part';
import { APP_PARTS, APP_PLUGINS, type AppPart, type Plugin } from './plugin';

export function rulesOf(plugins: readonly Plugin[]): Rule[] {
  return plugins.flatMap(({ rule }) => rule ?? []);
}

/** The folder of the sentences of a plugin. */
export function messagesOf({ folder }: Plugin): string {
  return join(folder, 'messages');
}

function actionsOf(plugins: readonly Plugin[]): ActionCatalogue {
  const own = Object.entries(JOURNAL_ACTION_SUMMARIES).map(([action, summary]) => [action, { summary }]);
  return Object.assign(
    Object.fromEntries(own) as Record<string, ActionNotes>,
    ...plugins.map(({ actions }) => actions?.catalogue),
  ) as ActionCatalogue;
}

/** Tells the modules of an app which plugins it has, and the OpenAPI document what they add. */
@Module({})
export class PluginsModule {
  static register(plugins: readonly Plugin[], parts: readonly AppPart[]): DynamicModule {
    const actions = actionsOf(plugins);
    const document: DocumentParts = {
      actions,
      actors: plugins.flatMap(({ actors = [] }) => actors),
      parts: parts.flatMap((part) => part.describe?.(actions) ?? []),
    };
    return {
      module: PluginsModule,
      global: true,
      providers: [
        { provide: APP_PLUGINS, useValue: plugins },
        { provide: APP_PARTS, useValue: parts },
        { provide: DOCUMENT_PARTS, useValue: document },
      ],
      exports: [APP_PLUGINS, APP_PARTS],
    };
  }
}
