import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { pathOf } from './request-path';

/** The parts of Express's router that list routes. */
interface Route {
  path: string;
  methods: Record<string, boolean>;
}
interface Layer {
  match(path: string): boolean;
  route?: Route;
}

const OTHER = 'other';
const METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'];

/** Express sets the route that handles the request. */
type RoutedRequest = IncomingMessage & { route?: Route };

/** The routes of the app: the methods of a path, and the name of a request in the log and in metrics. */
@Injectable()
export class RouteTable {
  constructor(private readonly adapter: HttpAdapterHost) {}

  methodsOf(path: string): string[] {
    const methods = new Set(this.routesAt(path).flatMap(({ methods }) => Object.keys(methods)));
    // Express answers HEAD wherever it answers GET.
    if (methods.has('get')) methods.add('head');
    return [...methods].map((method) => method.toUpperCase()).sort();
  }

  /**
   * The pattern of the route that handles a request, or would have if it had not been refused before; `unknown` if no
   * route has its path.
   */
  patternOf(request: RoutedRequest): string {
    return request.route?.path ?? this.routesAt(pathOf(request))[0]?.path ?? 'unknown';
  }

  /** The method of a request to a path of this service; `other` for methods that none of its routes has. */
  methodOf(request: RoutedRequest): string {
    const { method = OTHER, route } = request;
    if (route) return method;
    return METHODS.includes(method) && this.routesAt(pathOf(request)).length > 0 ? method : OTHER;
  }

  private routesAt(path: string): Route[] {
    const { router } = this.adapter.httpAdapter.getInstance<{ router: { stack: Layer[] } }>();
    return router.stack.flatMap((layer) => (layer.route && matches(layer, path) ? [layer.route] : []));
  }
}

/** Express throws on a path with invalid percent-encoding. No route has such a path. */
function matches(layer: Layer, path: string): boolean {
  try {
    return layer.match(path);
  } catch {
    return false;
  }
}
