import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { HttpAdapterHost } from '@nestjs/core';
import { pathOf } from './request-path';

/** The part of Express's router that tells which routes there are. */
interface Router {
  stack: { match(path: string): boolean; route?: { path: string; methods: Record<string, boolean> } }[];
}

/** Which verbs a path answers, for 405 and its `Allow` header. */
@Injectable()
export class RouteTable {
  constructor(private readonly adapter: HttpAdapterHost) {}

  methodsOf(path: string): string[] {
    const methods = new Set(this.routesAt(path).flatMap(({ methods }) => Object.keys(methods)));
    // Express answers HEAD wherever it answers GET.
    if (methods.has('get')) methods.add('head');
    return [...methods].map(upper).sort();
  }

  /** The pattern of the route that took a request, or would have, had it not been refused before; undefined for a path that no route has. */
  patternOf(request: Request): string | undefined {
    const taken = (request.route as { path: string } | undefined)?.path;
    return taken ?? this.routesAt(pathOf(request))[0]?.path;
  }

  private routesAt(path: string): { path: string; methods: Record<string, boolean> }[] {
    const { router } = this.adapter.httpAdapter.getInstance<{ router: Router }>();
    return router.stack.flatMap((layer) => (layer.route && matches(layer, path) ? [layer.route] : []));
  }
}

/** Express throws on a path whose percent-encoding is broken; no route has such a path. */
function matches(layer: Router['stack'][number], path: string): boolean {
  try {
    return layer.match(path);
  } catch {
    return false;
  }
}

const upper = (method: string) => method.toUpperCase();
