import { SetMetadata } from '@nestjs/common';
import type { ErrorCode } from '../contract/errors';

export const REFUSAL = 'auth:refusal';

/** Sets the single code with which a route refuses its caller, so that a probe learns nothing from differences. */
export const RefusesWith = (code: ErrorCode) => SetMetadata(REFUSAL, code);
