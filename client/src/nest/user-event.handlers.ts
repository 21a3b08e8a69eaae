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
    const found = new Set([...this.discovery.getProviders(), ...this.discovery.getControllers()].map(instanceOf));
    for (const instance of found) if (instance) this.register(instance);
  }

  /** Calls all methods for this event and waits for all of them. Throws the first error. */
  async handle(event: WebhookEvent): Promise<void> {
    const wanted = this.handlers.filter(({ types }) => types.length === 0 || types.includes(event.type));
    const outcomes = await Promise.allSettled(wanted.map(async ({ handle }) => handle(event)));
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  }

  private register(instance: Record<string, unknown>): void {
    for (const name of this.scanner.getAllMethodNames(Object.getPrototypeOf(instance) as object)) {
      const method = instance[name];
      if (typeof method !== 'function') continue;
      const types = Reflect.getMetadata(USER_EVENTS, method) as readonly string[] | undefined;
      if (types) this.handlers.push({ types, handle: (event) => (method as Handler).call(instance, event) });
    }
  }
}

/** Undefined for request-scoped providers: there is no instance to call. */
function instanceOf(wrapper: {
  instance: unknown;
  isDependencyTreeStatic(): boolean;
}): Record<string, unknown> | undefined {
  const { instance } = wrapper;
  const usable = wrapper.isDependencyTreeStatic() && typeof instance === 'object' && instance !== null;
  return usable && Object.getPrototypeOf(instance) ? (instance as Record<string, unknown>) : undefined;
}
