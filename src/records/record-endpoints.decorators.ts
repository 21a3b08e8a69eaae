import { applyDecorators, type Type } from '@nestjs/common';
import { AdministratorEndpoint, ReaderEndpoint } from '../auth/guarded-endpoint.decorators';
import type { ErrorCode } from '../contract/errors';
import {
  ApiConsumes,
  ApiCreatedResponse,
  ApiExtraModels,
  ApiNoContentResponse,
  ApiOkResponse,
  getSchemaPath,
} from '@nestjs/swagger';
import { RecordDryRunDto } from './dry-run.dto';
import type { EndpointNotes } from '../openapi/endpoint.decorator';
import { AnswersCreated, AnswersPage, AnswersRecord } from '../openapi/record-answers.decorators';

/**
 * Routes that answer with records. `kind` names a record in the documentation. They are for administrators, and readers
 * may do a GET whose `access` is `ReaderEndpoint`.
 */

export const ListEndpoint = (notes: EndpointNotes, type: Type, access = AdministratorEndpoint) =>
  applyDecorators(access(notes), AnswersPage(), ApiOkResponse({ description: 'One page.', type }));

export const ReadEndpoint = (notes: EndpointNotes, type: Type, kind: string, access = AdministratorEndpoint) =>
  applyDecorators(access(notes), AnswersRecord(), ApiOkResponse({ description: `The ${kind}.`, type }));

export const CreateEndpoint = (notes: EndpointNotes, type: Type) =>
  applyDecorators(
    AdministratorEndpoint(notes),
    AnswersCreated(),
    ApiCreatedResponse({ description: 'Created.', type }),
  );

export const DeleteEndpoint = (notes: EndpointNotes) =>
  applyDecorators(AdministratorEndpoint(notes), ApiNoContentResponse({ description: 'Deleted.' }));

const QUERY_REFUSALS = ['query.invalid', 'reason.invalid'] as const;
const DRY_RUN_REFUSALS = [...QUERY_REFUSALS, 'request.too_large_to_represent'] as const;

/** The routes of one kind of record of the directory: what they answer, what they refuse, and their documentation. */
export class RecordEndpoints {
  /** The parameter of the path. */
  readonly parameters: NonNullable<EndpointNotes['parameters']>;
  private readonly unknown: ErrorCode;
  private readonly taken: readonly ErrorCode[];

  /** @param example the id in the examples of paths */
  constructor(
    private readonly kind: 'user' | 'workspace' | 'group' | 'permission',
    example: string,
  ) {
    this.parameters = this.pathTo(example);
    this.unknown = `${kind}.unknown`;
    this.taken = kind === 'user' ? ['user.email_taken'] : [];
  }

  list(type: Type, description: string) {
    const summary = `Find ${this.kind}s`;
    const text = `For administrators and readers. A ${this.kind} must match all filters. ${description}`;
    return ListEndpoint({ summary, description: text, refuses: ['query.invalid'] }, type, ReaderEndpoint);
  }

  read(type: Type, description = '') {
    const notes: EndpointNotes = {
      summary: `Read a ${this.kind}`,
      description: `For administrators and readers. ${description}\`ETag\` is the version of this answer.`,
      parameters: this.parameters,
      refuses: [this.unknown, 'record.changed'],
    };
    return ReadEndpoint(notes, type, this.kind, ReaderEndpoint);
  }

  create(type: Type, description: string, examples: EndpointNotes['examples']) {
    const notes: EndpointNotes = {
      summary: `Create a ${this.kind}`,
      description: `For administrators. ${description}`,
      status: 201,
      refuses: [
        ...QUERY_REFUSALS,
        'request.malformed',
        'field.read_only',
        'field.invalid',
        'record.id_taken',
        ...this.taken,
      ],
      refusalArgs: { 'query.invalid': { name: 'reason' } },
      examples,
    };
    return CreateEndpoint(notes, type);
  }

  /**
   * The body is a JSON Merge Patch (RFC 7396), with the media type of merge patches or of plain JSON.
   *
   * @param description continues the sentence after a colon
   */
  change(type: Type, description: string, examples: EndpointNotes['examples']) {
    const shape: ErrorCode[] = ['request.malformed', 'field.read_only', 'field.invalid', ...DRY_RUN_REFUSALS];
    const notes: EndpointNotes = {
      summary: `Change a ${this.kind}`,
      description: `For administrators. A JSON Merge Patch (RFC 7396): ${description}`,
      parameters: this.parameters,
      refuses: [...shape, this.unknown, 'record.changed', ...this.taken, 'directory.last_administrator'],
      refusalArgs: { 'query.invalid': { name: 'dryRun' } },
      examples,
    };
    return applyDecorators(
      AdministratorEndpoint(notes),
      ApiConsumes('application/json', 'application/merge-patch+json'),
      AnswersRecord(),
      ApiExtraModels(type, RecordDryRunDto),
      ApiOkResponse({
        description: `The ${this.kind} as it is now, or what a dry run would do.`,
        schema: { oneOf: [type, RecordDryRunDto].map((one) => ({ $ref: getSchemaPath(one) })) },
      }),
    );
  }

  /**
   * @param example an id whose record can be deleted
   * @param preview the answer of a dry run
   */
  delete(description: string, example: string, preview: Type = RecordDryRunDto) {
    const notes: EndpointNotes = {
      summary: `Delete a ${this.kind}`,
      description: `For administrators. ${description} The journal stays.`,
      status: 204,
      parameters: this.pathTo(example),
      refuses: [...DRY_RUN_REFUSALS, this.unknown, 'record.changed', 'directory.last_administrator'],
      refusalArgs: { 'query.invalid': { name: 'dryRun' } },
    };
    return applyDecorators(
      DeleteEndpoint(notes),
      ApiOkResponse({ description: 'What a dry run would do.', type: preview }),
    );
  }

  /**
   * @param example a record whose change does not end what the reader of the page does next, such as the caller's own
   * would
   */
  pathTo(example: string) {
    return { id: { description: `The id of the ${this.kind}. In the path, it is percent-encoded.`, example } };
  }
}
