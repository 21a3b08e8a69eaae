import { ConfigurableModuleBuilder, type ConfigurableModuleCls, type DynamicModule, Module } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService, MetadataScanner } from '@nestjs/core';
import { WebhookReceiver, type WebhookReceiverOptions } from '../webhooks/webhook-receiver.ts';
import { UserEventGuard } from './user-event.guard.ts';
import { UserEventHandlers } from './user-event.handlers.ts';
import { userEventsController } from './user-events.controller.ts';

export interface UserEventsExtras {
  /** The path that the service posts to. Default: `webhooks/user-administration`. */
  path?: string;
  /** Decorators for the controller, such as one that exempts it from the guards of the app: `[Public()]`. */
  decorators?: ClassDecorator[];
}

const host = new ConfigurableModuleBuilder<WebhookReceiverOptions>()
  .setClassMethodName('forRoot')
  .setFactoryMethodName('createUserEventsOptions')
  .setExtras<UserEventsExtras>({ path: undefined, decorators: undefined }, withRoute)
  .build();

const ConfigurableModuleClass: ConfigurableModuleCls<
  WebhookReceiverOptions,
  'forRoot',
  'createUserEventsOptions',
  UserEventsExtras
> = host.ConfigurableModuleClass;

/**
 * Adds a route that receives the events of the service, and calls the methods that have a `@UserEvent` decorator.
 *
 * @example UserEventsModule.forRoot({ path: 'hooks/users', secrets: process.env.WEBHOOK_SECRET ?? '' })
 */
@Module({})
export class UserEventsModule extends ConfigurableModuleClass {}

function withRoute(definition: DynamicModule, { path, decorators = [] }: UserEventsExtras): DynamicModule {
  return {
    ...definition,
    imports: [...(definition.imports ?? []), DiscoveryModule],
    controllers: [userEventsController(path ?? 'webhooks/user-administration', decorators)],
    providers: [
      ...(definition.providers ?? []),
      UserEventGuard,
      {
        provide: WebhookReceiver,
        inject: [host.MODULE_OPTIONS_TOKEN],
        useFactory: (options: WebhookReceiverOptions) => new WebhookReceiver(options),
      },
      {
        provide: UserEventHandlers,
        inject: [DiscoveryService, MetadataScanner],
        useFactory: (discovery: DiscoveryService, scanner: MetadataScanner) =>
          new UserEventHandlers(discovery, scanner),
      },
    ],
    exports: [...(definition.exports ?? []), WebhookReceiver, UserEventGuard],
  };
}
