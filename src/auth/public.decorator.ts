import { SetMetadata } from '@nestjs/common';

export const PUBLIC = 'auth:public';

/** Opens a route to callers without a token. Every route is closed unless it says so. */
export const Public = () => SetMetadata(PUBLIC, true);
