import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { expressPrototypes } from '../src/express-prototypes';

it('requests and responses have the prototypes of Express from the start', async () => {
  const app = express();
  app.get('/', (request, response) => {
    response.json([request.query.a, request.app === app, request instanceof IncomingMessage]);
  });
  let isReady = false;
  const server = createServer(expressPrototypes(app), (request, response) => {
    isReady = Object.is(Object.getPrototypeOf(request), app.request);
    isReady &&= Object.is(Object.getPrototypeOf(response), app.response) && response instanceof ServerResponse;
    app(request, response);
  }).listen(0);
  try {
    const answer = await fetch(`http://localhost:${(server.address() as AddressInfo).port}/?a=b`);
    expect(await answer.json()).toEqual(['b', true, true]);
    expect(isReady).toBe(true);
  } finally {
    server.close();
  }
});
