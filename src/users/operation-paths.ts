import type { RequestHandler } from 'express';
import { ServiceError } from '../contract/errors';
import { USER_OPERATIONS } from '../contract/identifiers';
import { pathOf } from '@user-administration/http';

const USERS = /^\/api\/users\/([^/]+)\/?$/;

/**
 * Refuses any method but POST on the operations, before the routes of single users treat their names as ids. Express
 * decodes ids only, so there is nothing at the address of an operation whose name is percent-encoded.
 */
export const operationsTakePostAlone: RequestHandler = (request, response, next) => {
  const name = USERS.exec(pathOf(request))?.[1] ?? '';
  const plain = name.includes('%') ? decoded(name) : name;
  if (!USER_OPERATIONS.includes(plain)) return next();
  if (plain !== name) return next(new ServiceError('route.unknown'));
  if (request.method === 'POST') return next();
  response.setHeader('Allow', 'POST');
  next(new ServiceError('route.method_not_allowed'));
};

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
