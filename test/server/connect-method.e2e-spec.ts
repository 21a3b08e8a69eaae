import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { RequestsUnderWay } from '@user-administration/http';
import { ask } from '../support/ask';
import { RawConnection } from '../support/raw-connection';
import { useTestService } from '../support/test-service';

const CONNECT = 'CONNECT users.example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n';
/** More than a connection can hold, so that the answer has to wait for its reader. */
const LARGE = 'GET /api/docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: x\r\n\r\n';

const service = useTestService();

describe('a CONNECT', () => {
  it('does not end the process if its connection breaks', async () => {
    const connected = once(service.app.getHttpServer() as Server, 'connect') as Promise<[unknown, Socket]>;
    const connection = new RawConnection(service.url).write(CONNECT);
    const [, socket] = await connected;
    // `once` would handle the error.
    const hadError = new Promise((resolve) => socket.on('close', resolve));
    connection.reset();

    expect(await hadError).toBe(true);
    expect((await ask(`${service.url}/health/live`)).text).toBe('{"status":"ok"}');
  });

  it('leaves no connection and no request behind if it comes before the answer to another request', async () => {
    const connection = new RawConnection(service.url).read().write(LARGE + LARGE + CONNECT);

    expect(await connection.closed()).toBe('');
    expect(service.app.get(RequestsUnderWay).responses.length).toBe(0);
  });
});
