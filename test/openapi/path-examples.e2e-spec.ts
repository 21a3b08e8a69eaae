import { useDemoService } from '../support/demo-service';
import { fetchDeclared, openApiFile } from '../support/declared-answers';
import { fillIn, provoking } from './provocations';

const service = useDemoService();

const operations = Object.entries(openApiFile.paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, { parameters = [] }]) => {
    const ofPath = parameters.filter((parameter) => parameter.in === 'path');
    const examples = Object.fromEntries(ofPath.map(({ name, example }) => [name, example ?? '']));
    return ofPath.length > 0 ? [{ method: method.toUpperCase(), path, ofPath, examples }] : [];
  }),
);

describe('the path parameters in openapi.json', () => {
  it.each(operations)('have a description: $method $path', ({ ofPath }) => {
    for (const { description, example } of ofPath) {
      expect(description).toMatch(/^The id of .+\.$/);
      expect(example).toMatch(/./);
    }
  });

  const reads = operations.filter(({ method }) => method === 'GET');

  it.each(reads)('have examples that work on the demo directory: $path', async ({ path, examples }) => {
    const headers = { authorization: `Bearer ${service.tokenOf('ada')}` };
    expect((await fetchDeclared(service.url + fillIn(path, examples), { headers })).status).toBe(200);
  });

  // Deleting comes last.
  const changes = operations
    .filter(({ method, path }) => method !== 'GET' && /^\/api\/(webhooks|scim-connections)\//.test(path))
    .sort(({ method }, other) => Number(method === 'DELETE') - Number(other.method === 'DELETE'));

  it.each(changes)('have examples that work on the demo directory: $method $path', async (operation) => {
    const { method, path, examples } = operation;
    const { target, init } = provoking('service.unavailable', method, path, service, examples);
    expect((await fetchDeclared(service.url + target, init)).ok).toBe(true);
  });
});
