/** The sender of the request, as the directory currently knows them. */
export interface Caller {
  /**
   * A user has a record in the directory. A service has the scope of its token and needs no record. A connection of an
   * identity provider has a token of its own, which opens nothing but its routes.
   */
  readonly kind: 'user' | 'service' | 'connection';
  readonly id: string;
  readonly administrator: boolean;
  /** May read what administrators read, and is none. */
  readonly mayRead?: boolean;
  /** The key of the user's record, which no later user with the same id has; absent for others. */
  readonly key?: string;
}

/** The property of the request in which passport stores the caller. */
export interface AuthenticatedRequest {
  user: Caller;
}
