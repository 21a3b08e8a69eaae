import { SetMetadata } from '@nestjs/common';
import type { ErrorCode } from '../contract/errors';

export const REFUSAL = 'auth:refusal';

/** Names the one code that a route answers every refusal of its caller with, so that a probe learns nothing from the difference. */
export const RefusesWith = (code: ErrorCode) => SetMetadata(REFUSAL, code);
