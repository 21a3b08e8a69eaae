import type { OperationObject, ParameterObject, PathsObject, ReferenceObject } from '@nestjs/swagger';
import type { EndpointNotes } from './endpoint.decorator';

type Parameters = NonNullable<OperationObject['parameters']>;

/** Parameters of paging come after filters. */
const PAGING = ['sort', 'limit', 'cursor'];

/** The parameters of the path with their explanation, then those of the query. */
export function explained(parameters: Parameters, notes: Partial<EndpointNotes>): Parameters {
  return parameters
    .map((parameter) =>
      'in' in parameter && parameter.in === 'path'
        ? { ...parameter, ...notes.parameters?.[parameter.name] }
        : parameter,
    )
    .sort((a, b) => rank(a) - rank(b));
}

function rank(parameter: ParameterObject | ReferenceObject): number {
  if (!('in' in parameter)) return PAGING.length;
  return parameter.in === 'path' ? -2 : PAGING.indexOf(parameter.name);
}

/** Moves shared parameters to `components`, and refers to them. */
export function shareParameters(paths: PathsObject): Record<string, ParameterObject> {
  const operations = Object.values(paths).flatMap((path) => Object.values(path) as OperationObject[]);
  const lists = operations.map(({ parameters = [] }) => parameters);
  const uses = new Map<string, number>();
  for (const parameter of lists.flat())
    uses.set(JSON.stringify(parameter), (uses.get(JSON.stringify(parameter)) ?? 0) + 1);

  const shared: Record<string, ParameterObject> = {};
  const names = new Map<string, string>();
  for (const list of lists)
    list.forEach((parameter, index) => {
      const text = JSON.stringify(parameter);
      if (!('in' in parameter) || uses.get(text) === 1) return;
      const name = names.get(text) ?? freeName(parameter.name, shared);
      names.set(text, name);
      shared[name] = parameter;
      list[index] = { $ref: `#/components/parameters/${name}` };
    });
  return shared;
}

/** `limit`, and for another parameter of the same name `limit-2`. */
function freeName(name: string, taken: Record<string, unknown>): string {
  if (!(name in taken)) return name;
  let number = 2;
  while (`${name}-${number}` in taken) number++;
  return `${name}-${number}`;
}
