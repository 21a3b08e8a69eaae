import type { ErrorCode } from '../contract/errors';
import type { EndpointNotes } from '../openapi/endpoint.decorator';

type RecordKind = 'user' | 'workspace' | 'group' | 'permission';
type Examples = EndpointNotes['examples'];

/** The documentation that the routes of all kinds of records share. */
export class RecordNotes {
  /** The parameter of the path. */
  readonly parameters: NonNullable<EndpointNotes['parameters']>;
  private readonly unknown: ErrorCode;
  private readonly taken: readonly ErrorCode[];

  /** @param example the id in the examples of paths */
  constructor(
    private readonly kind: RecordKind,
    example: string,
  ) {
    this.parameters = this.pathTo(example);
    this.unknown = `${kind}.unknown`;
    this.taken = kind === 'user' ? ['user.email_taken'] : [];
  }

  list(description: string): EndpointNotes {
    return {
      summary: `Find ${this.kind}s`,
      description: `For administrators. A ${this.kind} must match all filters. ${description}`,
      refuses: ['query.invalid'],
    };
  }

  read(description = ''): EndpointNotes {
    return {
      summary: `Read a ${this.kind}`,
      description: `For administrators. ${description}\`ETag\` is the version of this answer.`,
      parameters: this.parameters,
      refuses: [this.unknown, 'record.changed'],
    };
  }

  create(description: string, examples: Examples): EndpointNotes {
    return {
      summary: `Create a ${this.kind}`,
      description: `For administrators. ${description}`,
      status: 201,
      refuses: ['request.malformed', 'field.read_only', 'field.invalid', 'record.id_taken', ...this.taken],
      examples,
    };
  }

  /** @param description continues the sentence after a colon */
  change(description: string, examples: Examples): EndpointNotes {
    return {
      summary: `Change a ${this.kind}`,
      description: `For administrators. A JSON Merge Patch (RFC 7396): ${description}`,
      parameters: this.parameters,
      refuses: [
        'request.malformed',
        'field.read_only',
        'field.invalid',
        this.unknown,
        'record.changed',
        ...this.taken,
        'directory.last_administrator',
      ],
      examples,
    };
  }

  /** @param example an id whose record can be deleted */
  delete(description: string, example: string): EndpointNotes {
    return {
      summary: `Delete a ${this.kind}`,
      description: `For administrators. ${description} The journal stays.`,
      status: 204,
      parameters: this.pathTo(example),
      refuses: [this.unknown, 'record.changed', 'directory.last_administrator'],
    };
  }

  private pathTo(example: string) {
    return { id: { description: `The id of the ${this.kind}. In the path, it is percent-encoded.`, example } };
  }
}
