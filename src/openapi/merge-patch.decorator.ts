import { applyDecorators } from '@nestjs/common';
import { TakesMergePatch } from '../server/json-body.interceptor';
import { ApiConsumes } from './documentation.decorators';

/**
 * The body of the route is a JSON Merge Patch (RFC 7396): missing fields stay, and null clears a field that may be empty. Its
 * media type can be that of merge patches or of plain JSON.
 */
export const AcceptsMergePatch = () =>
  applyDecorators(TakesMergePatch(), ApiConsumes('application/json', 'application/merge-patch+json'));
