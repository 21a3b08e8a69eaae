import { HttpAdapterHost } from '@nestjs/core';
import { useTestService } from '../support/test-service';
import { openApiFile } from '../support/declared-answers';

/** What is no part of the interface: the pages for people and what leads to them, numbers for a scraper, where Nest hangs its middleware, and SCIM, which describes itself. */
const UNDOCUMENTED = [
  /^\/scim\/v2(?:\/|$)/,
  /^\/(docs)?$/,
  /^\/api\/docs(-json|\/.*)?$/,
  /^\/admin(\/.*)?$/,
  /^\/metrics$/,
  /^\/\{\*path\}$/,
];

interface Router {
  stack: { route?: { path: string; methods: Record<string, boolean> } }[];
}

const service = useTestService();

it('every route is in openapi.json or listed as undocumented, and openapi.json has no other', () => {
  const { router } = service.app.get(HttpAdapterHost).httpAdapter.getInstance<{ router: Router }>();
  const routes = router.stack
    .flatMap(({ route }) => (route && !UNDOCUMENTED.some((pattern) => pattern.test(route.path)) ? [route] : []))
    .flatMap(({ path, methods }) => Object.keys(methods).map((method) => `${method} ${path}`));
  const documented = Object.entries(openApiFile.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
  );
  expect(routes.sort()).toEqual(documented.sort());
});
