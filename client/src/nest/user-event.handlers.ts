import type { OnApplicationBootstrap } from '@nestjs/common';
import type { DiscoveryService, MetadataScanner } from '@nestjs/core';
import type { WebhookEvent } from '../webhooks/webhook-event.ts';
import { USER_EVENTS } from './user-event.decorator.ts';

type Handler = (event: WebhookEvent) => unknown;

/** The methods of the app that have a `@UserEvent` decorator. */
export class UserEventHandlers implements OnApplicationBootstrap {
  private readonly handlers: { types: readonly string[]; handle: Handler }[] = [];

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  onApplicationBootstrap(): void {
    const wrappers = [...this.discovery.getProviders(), ...this.discovery.getControllers()];
    const found = new Set<unknown>();
    for (const wrapper of wrappers) {
      if (isSingleton(wrapper)) found.add(wrapper.instance);
      else this.refuseHandlers(wrapper.metatype);
    }
    for (const instance of found) if (hasMethods(instance)) this.register(instance);
  }

  /** Calls all methods for this event and waits for all of them. Throws the first error. */
  async handle(event: WebhookEvent): Promise<void> {
    const wanted = this.handlers.filter(({ types }) => types.length === 0 || types.includes(event.type));
    const outcomes = await Promise.allSettled(wanted.map(async ({ handle }) => handle(event)));
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  }

  /** Looks the method up for each event, so that a test can replace it. */
  private register(instance: object): void {
    for (const { types, name } of this.eventMethods(Object.getPrototypeOf(instance) as object)) {
      this.handlers.push({ types, handle: (event) => (instance as Record<string, Handler>)[name]?.(event) });
    }
  }

  /** Without an instance its methods would never be called, and the service would still get an answer of success. */
  private refuseHandlers(type: unknown): void {
    const prototype: unknown = typeof type === 'function' ? type.prototype : undefined;
    if (!hasMethods(prototype) || this.eventMethods(prototype).length === 0) return;
    throw new Error(
      `${(type as { name: string }).name} has a method with @UserEvent, but no single instance: it is request-scoped, transient, ` +
        'or depends on a request-scoped provider. Move the method to a singleton.',
    );
  }

  private eventMethods(prototype: object): { types: readonly string[]; name: string }[] {
    return this.scanner.getAllMethodNames(prototype).flatMap((name) => {
      const method = (prototype as Record<string, object>)[name];
      const types = method && (Reflect.getMetadata(USER_EVENTS, method) as readonly string[] | undefined);
      return types ? [{ types, name }] : [];
    });
  }
}

function isSingleton(wrapper: { isTransient: boolean; isDependencyTreeStatic(): boolean }): boolean {
  return !wrapper.isTransient && wrapper.isDependencyTreeStatic();
}

function hasMethods(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) !== null;
}
