import { Reflector } from '@nestjs/core';

/** Opens a route to callers without a token. Every route is closed unless it says so. */
export const Public = Reflector.createDecorator<object>();
