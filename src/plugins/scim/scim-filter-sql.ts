import { type FilterNode, type FilterOperator, ScimRefusal, toBoolean } from '@user-administration/scim-protocol';
import { isStorableText } from '../../contract/identifiers';

/** An expression of SQL that a filter compares, by the kind of its values. */
export type FilterExpression =
  /** Text that is case-sensitive (`caseExact`), or whose expression is folded by `fold_case`. */
  | {
      kind: 'text';
      sql: string;
      folded?: boolean;
      /** The expression of the value in an equality, if it is not only folded. */
      equalled?: (parameter: string) => string;
    }
  | { kind: 'boolean'; sql: string }
  | { kind: 'time'; sql: string }
  /** An object, such as a name: filters only test whether it is present. */
  | { kind: 'whole'; sql: string };

/**
 * A multi-valued attribute, with a row for each value. A comparison without the name of a part compares `value`, if
 * there is one.
 */
export interface FilterRows {
  kind: 'rows';
  /**
   * The text after `FROM`, with the condition that joins the rows to the record: `jsonb_array_elements(p.emails) AS
   * email`.
   */
  from: string;
  parts: Readonly<Record<string, FilterExpression>>;
  /** A condition on the record that an index supports. It is true whenever a `value` equals the parameter. */
  narrow?: (parameter: string) => string;
}

/** Attributes by their names in lower case: `name.familyname`, `emails`, `urn:...:department`. */
export type FilterAttributes = Readonly<Record<string, FilterExpression | FilterRows>>;

const COMPARISONS: Readonly<Record<FilterOperator, (sql: string, parameter: string) => string>> = {
  eq: (sql, parameter) => `${sql} = ${parameter}`,
  ne: (sql, parameter) => `${sql} IS DISTINCT FROM ${parameter}`,
  co: (sql, parameter) => `strpos(${sql}, ${parameter}) > 0`,
  sw: (sql, parameter) => `starts_with(${sql}, ${parameter})`,
  ew: (sql, parameter) => `right(${sql}, length(${parameter})) = ${parameter}`,
  gt: (sql, parameter) => `${sql} > ${parameter}`,
  ge: (sql, parameter) => `${sql} >= ${parameter}`,
  lt: (sql, parameter) => `${sql} < ${parameter}`,
  le: (sql, parameter) => `${sql} <= ${parameter}`,
};
const WITHIN_TEXT = ['co', 'sw', 'ew'];
const EQUALITY = ['eq', 'ne'];

const TIME = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/i;

/**
 * The condition of a filter. Every value of the caller is a parameter, and no other text of the caller is part of it.
 *
 * @param urn of the core schema, which a name can begin with
 * @param parameters to which those of the condition are added
 * @throws ScimRefusal `invalidFilter`
 */
export function filterCondition(
  filter: FilterNode,
  urn: string,
  attributes: FilterAttributes,
  parameters: unknown[],
): string {
  const known = new Map(Object.entries(attributes));
  return new Condition(urn.toLowerCase(), known, parameters).of(filter);
}

class Condition {
  constructor(
    private readonly urn: string,
    private readonly attributes: ReadonlyMap<string, FilterExpression | FilterRows>,
    private readonly parameters: unknown[],
  ) {}

  of(node: FilterNode): string {
    if ('nodes' in node) {
      return `(${node.nodes.map((one) => this.of(one)).join(` ${node.op.toUpperCase()} `)})`;
    }
    // A comparison with an absent value is NULL, and its negation must be true.
    if (node.op === 'not') return `((${this.of(node.node)}) IS NOT TRUE)`;
    return this.ofAttribute(node);
  }

  private ofAttribute(node: Exclude<FilterNode, { op: 'and' | 'or' | 'not' }>): string {
    const name = this.nameOf(node.attribute);
    const attribute = this.attributes.get(name);
    if (node.op === '[]') {
      if (attribute?.kind !== 'rows') throw refused(node.attribute);
      return this.ofRows(attribute, node.node);
    }
    if (attribute?.kind === 'rows') {
      const isWhole = !('value' in attribute.parts) && node.op === 'pr';
      return isWhole
        ? `EXISTS (SELECT FROM ${attribute.from})`
        : this.ofRows(attribute, { ...node, attribute: 'value' });
    }
    if (attribute) return this.comparison(attribute, node);
    const [, whole = '', part = ''] = /^(\w+)\.(\w+)$/.exec(name) ?? [];
    const rows = this.attributes.get(whole);
    if (rows?.kind !== 'rows') throw refused(node.attribute);
    return this.ofRows(rows, { ...node, attribute: part });
  }

  /** The conditions must hold for one and the same row. Null values have no row. */
  private ofRows(rows: FilterRows, node: FilterNode): string {
    if (node.op === 'eq' && node.value === null)
      return `NOT ${this.ofRows(rows, { op: 'pr', attribute: node.attribute })}`;
    const { from, parts, narrow } = rows;
    const condition = new Condition('', new Map(Object.entries(parts)), this.parameters).of(node);
    const exists = `EXISTS (SELECT FROM ${from} WHERE ${condition})`;
    const value = narrow && equalledValue(node);
    return value !== undefined && isStorableText(value) ? `(${narrow?.(this.add(value))} AND ${exists})` : exists;
  }

  private nameOf(attribute: string): string {
    const name = attribute.toLowerCase();
    return name.startsWith(`${this.urn}:`) ? name.slice(this.urn.length + 1) : name;
  }

  private comparison(
    expression: FilterExpression,
    node: Exclude<FilterNode, { op: 'and' | 'or' | 'not' | '[]' }>,
  ): string {
    const { sql, kind } = expression;
    const folded = kind === 'text' && expression.folded;
    if (node.op === 'pr') return `${sql} IS NOT NULL`;
    const { op, value, attribute } = node;
    if (value === null) {
      if (!EQUALITY.includes(op)) throw refused(attribute);
      return `${sql} IS ${op === 'eq' ? '' : 'NOT '}NULL`;
    }
    if (kind === 'boolean') {
      const asked = toBoolean(value);
      if (asked === undefined || !EQUALITY.includes(op)) throw refused(attribute);
      return COMPARISONS[op](sql, `${this.add(asked)}::boolean`);
    }
    if (typeof value !== 'string' || kind === 'whole') throw refused(attribute);
    if (kind === 'time') return this.timeComparison(sql, op, value, attribute);
    // PostgreSQL cannot store this text, so no value equals it.
    if (!isStorableText(value)) return op === 'ne' ? 'TRUE' : 'FALSE';
    const parameter = `${this.add(value)}::text`;
    if (EQUALITY.includes(op) && expression.equalled) return COMPARISONS[op](sql, expression.equalled(parameter));
    const collated = EQUALITY.includes(op) ? sql : `(${sql}) COLLATE "C"`;
    return COMPARISONS[op](collated, folded ? `fold_case(${parameter})` : parameter);
  }

  private timeComparison(sql: string, op: FilterOperator, value: string, attribute: string): string {
    if (WITHIN_TEXT.includes(op)) {
      if (!isStorableText(value)) return 'FALSE';
      const text = `to_char(${sql} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
      return COMPARISONS[op](text, `upper(${this.add(value)}::text)`);
    }
    const [, zone] = TIME.exec(value) ?? ['', undefined];
    const milliseconds = TIME.test(value) ? Date.parse(zone || value.length === 10 ? value : `${value}Z`) : NaN;
    if (Number.isNaN(milliseconds)) throw refused(attribute);
    return COMPARISONS[op](sql, `to_timestamp(${this.add(milliseconds)}::double precision / 1000)`);
  }

  private add(value: unknown): string {
    return `$${this.parameters.push(value)}`;
  }
}

/** The text that `value` must equal for the conditions to hold. */
function equalledValue(node: FilterNode): string | undefined {
  if (node.op === 'and') return node.nodes.map(equalledValue).find((value) => value !== undefined);
  const isEquality = node.op === 'eq' && node.attribute.toLowerCase() === 'value';
  return isEquality && typeof node.value === 'string' ? node.value : undefined;
}

function refused(attribute: string): ScimRefusal {
  return new ScimRefusal('invalidFilter', `The filter cannot compare ${attribute.slice(0, 100)} in this way.`);
}
