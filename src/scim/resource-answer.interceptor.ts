import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  UseInterceptors,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { map, type Observable } from 'rxjs';
import { Projection, type ResourceType } from '@user-administration/scim-protocol';
import { setEtag } from '../answers/etag';
import type { LocatedRequest } from './scim-answer.interceptor';

/** A resource as a use case returns it: without its address. */
interface Resource {
  id: string;
  meta: { version: string };
}

export const addressOf = ({ scimBase }: LocatedRequest, { path }: ResourceType, id: string): string =>
  `${scimBase}/${path}/${encodeURIComponent(id)}`;

/** Completes a resource with its address. */
export const located = <R extends Resource>(request: LocatedRequest, type: ResourceType, resource: R) => ({
  ...resource,
  meta: { ...resource.meta, location: addressOf(request, type, resource.id) },
});

/**
 * Sets what follows from a resource: the headers, and the status of a PATCH without it.
 *
 * @returns whether the resource is sent. By a PATCH it is only if its attributes are asked for
 */
export function beginAnswer(
  request: LocatedRequest,
  response: Response,
  { id, meta }: Resource,
  projection: Projection,
  type: ResourceType,
): boolean {
  setEtag(meta.version, request, response);
  if (request.method === 'POST') response.setHeader('Location', addressOf(request, type, id));
  if (request.method !== 'PATCH' || projection.isAsked) return true;
  response.status(204);
  return false;
}

const Answers = Reflector.createDecorator<ResourceType>();

/**
 * Completes the answers of a controller: each resource gets its address, the headers follow from it, and what the
 * request wants to see of it is sent.
 */
export const AnswersResources = (type: ResourceType): ClassDecorator =>
  applyDecorators(Answers(type), UseInterceptors(ResourceAnswerInterceptor));

@Injectable()
export class ResourceAnswerInterceptor implements NestInterceptor {
  constructor(private readonly reflector: Reflector) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const [request, response] = [http.getRequest<LocatedRequest>(), http.getResponse<Response>()];
    const type = this.reflector.get(Answers, context.getClass());
    const projection = new Projection(request.query, type);
    const shown = (resource: Resource): object => projection.of(located(request, type, resource));
    return next.handle().pipe(
      map((answer: Resource | { Resources: Resource[] } | undefined) => {
        if (answer === undefined) return undefined;
        if ('Resources' in answer) return { ...answer, Resources: answer.Resources.map(shown) };
        return beginAnswer(request, response, answer, projection, type) ? shown(answer) : undefined;
      }),
    );
  }
}
