export { ActiveUserGuard } from './active-user.guard.ts';
export { clientToken, healthToken, InjectUserAdministration } from './injection-tokens.ts';
export { UserAdministrationHealth, type HealthResult } from './user-administration.health.ts';
export { UserAdministrationModule } from './user-administration.module.ts';
export type { ActiveUserOptions, ModuleExtras, UserAdministrationOptions } from './user-administration.options.ts';
export { UserEvent } from './user-event.decorator.ts';
export { CurrentUserEvent, UserEventGuard } from './user-event.guard.ts';
export { UserEventsModule, type UserEventsExtras } from './user-events.module.ts';
