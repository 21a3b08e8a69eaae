/** Who sent the request, as the directory knows them at this moment. */
export interface Caller {
  /** A user has a record in the directory; a service acts by the scope of its token and needs none. */
  readonly kind: 'user' | 'service';
  readonly id: string;
  readonly administrator: boolean;
}

/** Where passport leaves the caller on the request. */
export interface AuthenticatedRequest {
  user: Caller;
}
