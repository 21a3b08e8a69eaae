import { SetMetadata } from '@nestjs/common';

export const BODY_LIMIT = 'http:body-limit';

/**
 * Sets the size limit for the body of a route, instead of `LIMITS.bodyBytes`. Not a decorator of `Reflector.createDecorator`: it
 * could be used without a number, and then no body would be too large.
 *
 * @example
 * @Post('workspace-assign')
 * @BodyLimit(LIMITS.listBodyBytes)
 */
export const BodyLimit = (bytes: number) => SetMetadata(BODY_LIMIT, bytes);
