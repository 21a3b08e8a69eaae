import { applyDecorators, SetMetadata } from '@nestjs/common';
import { MERGE_PATCH } from '../server/json-body.interceptor';
import { ApiConsumes } from './documentation.decorators';

/**
 * The body of the route is a JSON Merge Patch (RFC 7396): a field left out stays, and null clears one that may be empty. It is
 * taken by the name of that media type, and as plain JSON.
 */
export const AcceptsMergePatch = () =>
  applyDecorators(SetMetadata(MERGE_PATCH, true), ApiConsumes('application/json', 'application/merge-patch+json'));
