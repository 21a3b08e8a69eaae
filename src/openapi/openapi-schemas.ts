import type { SchemaObject } from '@nestjs/swagger';
import type { Refusal } from '../contract/errors';
import { LIMITS } from '../contract/limits';

const sentence: SchemaObject = { type: 'string', description: 'One sentence, in the language of the caller.' };

export type SchemaName = keyof ReturnType<typeof schemasOf>;

/**
 * The bodies of answers. Their types are in `contract/`.
 *
 * @param errors the refusals of an app, by code
 * @param actions the meaning of each action of its log
 */
export function schemasOf(errors: Readonly<Record<string, Refusal>>, actions: Readonly<Record<string, string>>) {
  const errorStatuses = [...new Set(Object.values(errors).map(({ status }) => status))].sort();
  return {
    Refusal: withLines(
      body({
        status: { type: 'integer', enum: errorStatuses, description: 'The HTTP status, as a number.' },
        message: sentence,
      }),
    ),
    StatusSuccess: body({ status: { type: 'string', enum: ['success'] }, message: sentence }),
    StatusRefusal: body({ status: { type: 'string', enum: ['error'] }, message: sentence }),
    Problem: {
      type: 'object',
      description: 'Problem details (RFC 9457), for callers that send `Accept: application/problem+json`.',
      example: {
        type: 'about:blank',
        title: 'Bad Request',
        status: 400,
        detail: 'Please select a valid User.',
        code: 'user.invalid',
        errors: [{ pointer: '/userIds/1', id: 'nobody' }],
      },
      required: ['type', 'title', 'status', 'detail', 'code'],
      properties: {
        type: { type: 'string', enum: ['about:blank'], description: 'Constant. Programs branch on `code`.' },
        title: { type: 'string', description: 'The phrase of the HTTP status.' },
        status: { type: 'integer', enum: errorStatuses, description: 'The HTTP status.' },
        detail: { type: 'string', description: 'The message, in the language of the caller.' },
        code: {
          type: 'string',
          enum: Object.keys(errors),
          description: 'The error code for programs. Codes are never renamed or reused.',
        },
        errors: {
          type: 'array',
          description: 'The positions of the error in the body, or the bad lines of a file.',
          maxItems: LIMITS.errorLocations,
          items: {
            type: 'object',
            properties: {
              pointer: { type: 'string', description: 'A JSON pointer (RFC 6901) into the body of the request.' },
              id: { type: 'string', description: 'The id at this position.' },
              line: { type: 'integer', description: 'A line of a file.' },
              message: { type: 'string' },
            },
          },
        },
      },
    },
    // Nest knows the name of this enum, but not the meaning of its values.
    JournalAction: {
      type: 'string',
      enum: Object.keys(actions),
      description: [
        'The kind of change.',
        '',
        ...Object.entries(actions).map(([action, summary]) => `- \`${action}\`: ${summary}.`),
      ].join('\n'),
    },
  } satisfies Record<string, SchemaObject>;
}

function body(properties: Record<'status' | 'message', SchemaObject>): SchemaObject {
  return { type: 'object', required: Object.keys(properties), additionalProperties: false, properties };
}

/** A refusal of a file has its bad lines. */
function withLines(refusal: SchemaObject): SchemaObject {
  const properties = { line: { type: 'integer' }, message: { type: 'string' } } as const;
  const errors: SchemaObject = { type: 'array', items: { type: 'object', required: ['line', 'message'], properties } };
  return { ...refusal, properties: { ...refusal.properties, errors } };
}
