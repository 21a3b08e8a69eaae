import { join } from 'node:path';
import { type DynamicModule, Module } from '@nestjs/common';
import type { Rule } from '../database/rule';
import { APP_PLUGINS, type Plugin } from './plugin';

export function rulesOf(plugins: readonly Plugin[]): Rule[] {
  return plugins.flatMap(({ rule }) => rule ?? []);
}

/** The folder of the sentences of a plugin. */
export function messagesOf({ folder }: Plugin): string {
  return join(folder, 'messages');
}

/** Tells the modules of an app which plugins it has. */
@Module({})
export class PluginsModule {
  static register(plugins: readonly Plugin[]): DynamicModule {
    return {
      module: PluginsModule,
      global: true,
      providers: [{ provide: APP_PLUGINS, useValue: plugins }],
      exports: [APP_PLUGINS],
    };
  }
}
