export {
  ActiveUserGuard,
  clientToken,
  CurrentUserEvent,
  healthToken,
  InjectUserAdministration,
  UserAdministrationHealth,
  UserAdministrationModule,
  UserEvent,
  UserEventGuard,
  UserEventsModule,
} from './index.ts';
export type * from './index.ts';
