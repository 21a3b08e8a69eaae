import { SetMetadata } from '@nestjs/common';

export const BODY_LIMIT = 'http:body-limit';

/**
 * Sets the most bytes that the body of a route may have, in place of `LIMITS.bodyBytes`.
 *
 * @example
 * @Post('workspace-assign')
 * @BodyLimit(LIMITS.listBodyBytes)
 */
export const BodyLimit = (bytes: number) => SetMetadata(BODY_LIMIT, bytes);
