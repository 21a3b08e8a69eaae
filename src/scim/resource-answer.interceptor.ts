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
import { Projection } from './scim-attributes';
import type { LocatedRequest } from './scim-answer.interceptor';
import type { ResourceType } from './scim-schema';

/** A resource as a use case returns it: without its address. */
interface Resource {
  id: string;
  meta: { version: string };
}

const Answers = Reflector.createDecorator<ResourceType>();

/**
 * Completes the answers of a controller: each resource gets its address, the headers follow from it, and what the request wants to see of
 * it is sent. A PATCH is answered with a resource only if its attributes are asked for.
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
    const addressOf = ({ id }: Resource): string => `${request.scimBase}/${type.path}/${encodeURIComponent(id)}`;
    const shown = (resource: Resource): object =>
      projection.of({ ...resource, meta: { ...resource.meta, location: addressOf(resource) } });
    return next.handle().pipe(
      map((answer: Resource | { Resources: Resource[] } | undefined) => {
        if (answer === undefined) return undefined;
        if ('Resources' in answer) return { ...answer, Resources: answer.Resources.map(shown) };
        response.setHeader('ETag', answer.meta.version);
        // As in `setRecordHeaders`.
        delete request.headers['cache-control'];
        if (request.method === 'POST') response.setHeader('Location', addressOf(answer));
        if (request.method !== 'PATCH' || projection.isAsked) return shown(answer);
        response.status(204);
        return undefined;
      }),
    );
  }
}
