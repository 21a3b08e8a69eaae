import { applyDecorators, type Type } from '@nestjs/common';
import { AdministratorEndpoint } from '../auth/administrator-endpoint.decorator';
import {
  ApiConsumes,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
} from '../openapi/documentation.decorators';
import type { EndpointNotes } from '../openapi/endpoint.decorator';
import { AnswersCreated, AnswersPage, AnswersRecord } from '../openapi/record-answers.decorators';

/** The routes of one kind of record, for administrators. `kind` names it in the documentation: `group`. */

export const ListEndpoint = (notes: EndpointNotes, type: Type) =>
  applyDecorators(AdministratorEndpoint(notes), AnswersPage(), ApiOkResponse({ description: 'One page.', type }));

export const ReadEndpoint = (notes: EndpointNotes, type: Type, kind: string) =>
  applyDecorators(AdministratorEndpoint(notes), AnswersRecord(), ApiOkResponse({ description: `The ${kind}.`, type }));

export const CreateEndpoint = (notes: EndpointNotes, type: Type) =>
  applyDecorators(
    AdministratorEndpoint(notes),
    AnswersCreated(),
    ApiCreatedResponse({ description: 'Created.', type }),
  );

/**
 * The body is a JSON Merge Patch (RFC 7396): missing fields stay, and null clears a field that may be empty. Its media type can be
 * that of merge patches or of plain JSON.
 */
export const ChangeEndpoint = (notes: EndpointNotes, type: Type, kind: string) =>
  applyDecorators(
    AdministratorEndpoint(notes),
    ApiConsumes('application/json', 'application/merge-patch+json'),
    AnswersRecord(),
    ApiOkResponse({ description: `The ${kind} as it is now.`, type }),
  );

export const DeleteEndpoint = (notes: EndpointNotes) =>
  applyDecorators(AdministratorEndpoint(notes), ApiNoContentResponse({ description: 'Deleted.' }));
