import { Reflector } from '@nestjs/core';

/**
 * Sets the size limit for the body of a route, instead of `LIMITS.bodyBytes`.
 *
 * @example
 * @Post('workspace-assign')
 * @BodyLimit(LIMITS.listBodyBytes)
 */
export const BodyLimit = Reflector.createDecorator<number>();
