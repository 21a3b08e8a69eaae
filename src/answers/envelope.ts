import type { MessageBody, StatusBody } from '../contract/answers';

/** The format of a route's answers. */
export interface Envelope {
  success(message: string): MessageBody | StatusBody;
  failure(error: { status: number }, message: string): MessageBody | StatusBody;
}

/** A format for one route and every path under it. The route's feature declares it; the app registers it. */
export interface RouteEnvelope extends Envelope {
  /** Without a trailing slash: `/api/users/manage-status`. */
  readonly path: string;
}

/** The format of all other routes. */
export const NUMBERED: Envelope = {
  success: (message) => ({ status: 200, message }),
  failure: (error, message) => ({ status: error.status, message }),
};

/** The formats of all routes. */
export class Envelopes {
  constructor(private readonly ofRoutes: readonly RouteEnvelope[]) {}

  /**
   * Chosen by path alone, because a malformed body or an unsupported method is refused before the route is known. Like
   * Express, it ignores a trailing slash.
   */
  of(path: string): Envelope {
    return this.ofRoutes.find((route) => `${path}/`.startsWith(`${route.path}/`)) ?? NUMBERED;
  }
}
