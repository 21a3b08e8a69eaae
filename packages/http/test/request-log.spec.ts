import type { ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import pino from 'pino';
import { logRequests } from '../src/request-log';
import type { IdentifiedRequest } from '../src/request-id';
import type { RouteTable } from '../src/route-table';

/** The route and the level of each line. */
function logged(level: string, requests: [route: string, status: number][]): string[] {
  const out = new PassThrough();
  const routes = { patternOf: ({ url }: { url: string }) => url } as unknown as RouteTable;
  const observe = logRequests(pino({ level }, out), routes, (id): id is string => typeof id === 'string');
  for (const [url, statusCode] of requests) {
    const request = { id: 'one', method: 'GET', url, headers: {} } as unknown as IdentifiedRequest;
    observe(request, { writableFinished: true, statusCode } as ServerResponse, 0.001);
  }
  const lines = String(out.read() ?? '')
    .split('\n')
    .filter(Boolean);
  return lines.map((line) => {
    const { route, level: of } = JSON.parse(line) as { route: string; level: number };
    return `${route} ${pino.levels.labels[of]}`;
  });
}

describe('the log of requests', () => {
  it.each([
    ['info', ['/api/me info', '/health/ready info', '/health/live warn']],
    ['debug', ['/api/me info', '/health/live debug', '/health/ready info', '/health/live warn']],
  ])('has a sign of life at debug, unless it was refused: at %s', (level, lines) => {
    expect(
      logged(level, [
        ['/api/me', 200],
        ['/health/live', 200],
        ['/health/ready', 200],
        ['/health/live', 429],
      ]),
    ).toEqual(lines);
  });
});
