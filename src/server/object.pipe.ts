import type { PipeTransform } from '@nestjs/common';
import { ServiceError } from '../contract/errors';

/** Refuses a body that is not a JSON object. As a merge patch, it would replace the whole record (RFC 7396 section 2). */
export class ObjectPipe implements PipeTransform {
  transform(value: unknown): object {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new ServiceError('request.malformed');
    return value;
  }
}
