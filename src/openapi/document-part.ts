import type { OpenAPIObject } from '@nestjs/swagger';
import type { ActionNotes } from '../contract/plugin-actions';

type Components = NonNullable<OpenAPIObject['components']>;

/** What a plugin has in the OpenAPI document beside its routes. */
export interface DocumentPart {
  /** The groups of its operations. */
  readonly tags?: NonNullable<OpenAPIObject['tags']>;
  readonly components?: Pick<Components, 'schemas' | 'parameters' | 'responses' | 'requestBodies'>;
  /** The requests that it sends. */
  readonly webhooks?: OpenAPIObject['webhooks'];
}

/** The actions of the log of an app, in order: those of the service, then those of its plugins. */
export type ActionCatalogue = Readonly<Record<string, ActionNotes>>;

/** What the plugins of an app add to the document. */
export interface DocumentParts {
  readonly actions: ActionCatalogue;
  /** Kinds of actors beside those of the service. */
  readonly actors: readonly string[];
  readonly parts: readonly DocumentPart[];
}
export const DOCUMENT_PARTS = Symbol('DOCUMENT_PARTS');
