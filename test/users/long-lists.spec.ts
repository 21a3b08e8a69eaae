import 'reflect-metadata';
import { ServiceError } from '../../src/contract/errors';
import { LIMITS } from '../../src/contract/limits';
import { unknownIds } from '../../src/records/refuse-unknown';
import { ShapePipe } from '../../src/server/shape.pipe';
import { AssignWorkspacesDto } from '../../src/users/dto/assign-workspaces.dto';
import { leftOut } from '../../src/users/lenient.rules';

const MANY = 300_000;

async function refusalOf(body: object): Promise<unknown> {
  try {
    return await new ShapePipe().transform(body, { type: 'body', metatype: AssignWorkspacesDto });
  } catch (error) {
    return error instanceof ServiceError ? error.details.errors : error;
  }
}

describe('a list with hundreds of thousands of wrong elements makes no more objects than an answer has', () => {
  const pointers = Array.from({ length: LIMITS.errorLocations }, (_, index) => ({ pointer: `/userIds/${index}` }));

  it.each([
    ['numbers', { userIds: Array.from({ length: MANY }, () => 1), workspaces: ['atlas'] }],
    ['null', { userIds: Array.from({ length: MANY }, () => null), workspaces: ['atlas'] }],
  ])('of %s', async (_, body) => {
    expect(await refusalOf(body)).toEqual(pointers);
  });

  it('of unknown ids', () => {
    const unknown = Array.from({ length: MANY }, () => 'nobody');
    expect(unknownIds('userIds', unknown, new Set(), 'user.invalid')?.details.errors).toEqual(
      pointers.map(({ pointer }) => ({ pointer, id: 'nobody' })),
    );
  });

  it('of unknown ids that a lenient request leaves out, whose result is too large', () => {
    const request = { userIds: Array.from({ length: MANY }, () => ''), workspaces: ['atlas'] };
    const known = { users: ['ben'], workspaces: ['atlas'], groups: [] };
    const left = leftOut({ field: 'userIds', records: 'users', invalid: 'user.invalid' }, request, known);
    expect(left).toHaveLength(LIMITS.pageBytes / 32);
    expect(JSON.stringify(left).length).toBeGreaterThan(LIMITS.pageBytes);
  });
});
