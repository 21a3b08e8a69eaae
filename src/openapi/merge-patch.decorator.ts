import { applyDecorators, SetMetadata } from '@nestjs/common';
import { MERGE_PATCH } from '../server/json-body.interceptor';
import { ApiConsumes } from './documentation.decorators';

/**
 * The body of the route is a JSON Merge Patch (RFC 7396): missing fields stay, and null clears a field that may be empty. Its
 * media type can be that of merge patches or of plain JSON.
 */
export const AcceptsMergePatch = () =>
  applyDecorators(SetMetadata(MERGE_PATCH, true), ApiConsumes('application/json', 'application/merge-patch+json'));
