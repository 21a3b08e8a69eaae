import { SetMetadata } from '@nestjs/common';

export const EXEMPT_FROM_LIMITS = 'http:exempt-from-limits';

/** Marks what a platform asks of a process, and not of the service: it is answered however much there is to do. */
export const ExemptFromLimits = () => SetMetadata(EXEMPT_FROM_LIMITS, true);
