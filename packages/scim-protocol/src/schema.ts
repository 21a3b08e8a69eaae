/** An attribute as RFC 7643 section 7 describes it. What is left out has the usual value. */
export interface Attribute {
  readonly name: string;
  readonly type: 'string' | 'boolean' | 'reference' | 'binary' | 'complex';
  readonly description: string;
  readonly multiValued?: boolean;
  readonly required?: boolean;
  readonly caseExact?: boolean;
  readonly mutability?: 'readOnly' | 'immutable';
  readonly returned?: 'request';
  readonly uniqueness?: 'server';
  readonly canonicalValues?: readonly string[];
  readonly referenceTypes?: readonly string[];
  readonly subAttributes?: readonly Attribute[];
}

export interface Schema {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly attributes: readonly Attribute[];
}

/** A kind of resource, RFC 7643 section 6. */
export interface ResourceType {
  readonly name: 'User' | 'Group';
  /** `Users` or `Groups`: the last part of its path. */
  readonly path: string;
  readonly description: string;
  readonly core: Schema;
  readonly extensions: readonly Schema[];
}

type Facts = Omit<Attribute, 'name' | 'type' | 'description'>;

export function text(name: string, description: string, facts: Facts = {}): Attribute {
  return { name, type: 'string', description, ...facts };
}

export function flag(name: string, description: string): Attribute {
  return { name, type: 'boolean', description };
}

export function reference(
  name: string,
  referenceTypes: readonly string[],
  description: string,
  facts: Facts = {},
): Attribute {
  return { name, type: 'reference', description, caseExact: true, referenceTypes, ...facts };
}

export function complex(name: string, description: string, subAttributes: Attribute[], facts: Facts = {}): Attribute {
  return { name, type: 'complex', description, subAttributes, ...facts };
}

/** An attribute with several values, each with the usual parts of RFC 7643 section 2.4. */
export function several(
  name: string,
  description: string,
  canonicalValues: string[] = [],
  value?: Attribute,
): Attribute {
  const parts = [
    value ?? text('value', 'The value.'),
    text('display', 'A name of the value to show.'),
    text('type', 'What the value is for.', canonicalValues.length > 0 ? { canonicalValues } : {}),
    flag('primary', 'Whether this is the preferred one. At most one value is.'),
  ];
  return complex(name, description, parts, { multiValued: true });
}
