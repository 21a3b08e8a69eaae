import { applyDecorators, type Type } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse } from '../openapi/documentation.decorators';
import type { EndpointNotes } from '../openapi/endpoint.decorator';
import { AcceptsMergePatch } from '../openapi/merge-patch.decorator';
import { AnswersCreated, AnswersPage, AnswersRecord } from '../openapi/record-answers.decorators';
import { AdministratorEndpoint } from './administrator-endpoint.decorator';

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

export const ChangeEndpoint = (notes: EndpointNotes, type: Type, kind: string) =>
  applyDecorators(
    AdministratorEndpoint(notes),
    AcceptsMergePatch(),
    AnswersRecord(),
    ApiOkResponse({ description: `The ${kind} as it is now.`, type }),
  );

export const DeleteEndpoint = (notes: EndpointNotes) =>
  applyDecorators(AdministratorEndpoint(notes), ApiNoContentResponse({ description: 'Deleted.' }));
