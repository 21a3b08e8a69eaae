import type { ParameterObject } from '@nestjs/swagger';

export function headerParameter(name: string, description: string) {
  return { name, in: 'header', required: true, description, schema: { type: 'string' } } satisfies ParameterObject;
}
