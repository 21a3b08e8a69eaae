import { LIMITS } from '../../src/contract/limits';
import { BodyMemory, RequestsUnderWay } from '@user-administration/http';
import { useTestService } from '../support/test-service';
import { assign, manageStatus, NOT_PERMITTED } from '../support/ask';
import { eventually } from '../support/eventually';
import { RawConnection } from '../support/raw-connection';

const MIB = 1024 * 1024;
const ALL = 16 * MIB;

const service = useTestService({ environment: { BODY_MEMORY_MIB: '16' } });
let memory: BodyMemory;

beforeAll(async () => {
  await service.directory.user('dee');
  memory = service.app.get(BodyMemory);
});
afterEach(async () => {
  await eventually(() => expect(service.app.get(RequestsUnderWay).responses.length).toBe(0));
  expect(memory.held).toBe(0);
});

/** Announces a body, and sends that much of it. */
function hold(path: string, token: string, announced: number, sent: number): RawConnection {
  const headers = ['Host: x', `Authorization: Bearer ${token}`, 'Content-Type: application/json'];
  const head = `POST ${path} HTTP/1.1\r\n${headers.join('\r\n')}\r\nContent-Length: ${announced}\r\n\r\n`;
  return new RawConnection(service.url).read().write(head).write(Buffer.alloc(sent, ' '));
}
const holdList = () => hold('/api/users/workspace-assign', service.serviceToken(), 15 * MIB, 7 * MIB);

describe('request bodies that arrive slowly', () => {
  it('take memory as they arrive, not as announced', async () => {
    const open = Array.from({ length: 20 }, () => hold('/api/users/workspace-assign', service.serviceToken(), ALL, 10));
    await eventually(() => expect(memory.held).toBe(200));
    for (const one of open) one.reset();
  });

  it('take no more than BODY_MEMORY_MIB together: the oldest is given up', async () => {
    const first = holdList();
    await eventually(() => expect(memory.held).toBeGreaterThanOrEqual(7 * MIB));
    const others = Array.from({ length: 5 }, holdList);
    await eventually(() => expect(first.received).toMatch(/^HTTP\/1\.1 503 /));
    expect(first.received).toContain('Retry-After: 1\r\n');
    expect(memory.held).toBeLessThanOrEqual(ALL);
    for (const one of [first, ...others]) one.reset();
  });

  it('do not delay other callers', async () => {
    const lists = Array.from({ length: 5 }, holdList);
    const small = Array.from({ length: 50 }, () =>
      hold('/api/users/manage-status', service.tokenOf('dee'), 65_536, 65_535),
    );
    await eventually(() => expect(memory.held).toBeGreaterThan(MIB));
    for (let turn = 0; turn < 10; turn++) {
      expect((await assign(service, service.serviceToken(), {})).status).toBe(400);
      expect((await manageStatus(service, service.tokenOf('dee'), {})).text).toBe(NOT_PERMITTED);
      expect(memory.held).toBeLessThanOrEqual(ALL);
    }
    for (const one of [...lists, ...small]) one.reset();
  });

  it('take no memory before their caller is authorized', async () => {
    const open = [
      hold('/api/users/workspace-assign', 'none', 15 * MIB, 7 * MIB),
      hold('/api/users/workspace-assign', service.tokenOf('dee'), 15 * MIB, 7 * MIB),
      hold('/api/users/manage-status', 'none', 65_536, 65_535),
    ];
    await eventually(() => {
      expect(open.map(({ received }) => received.slice(9, 12))).toEqual(['401', '403', '401']);
      return Promise.resolve();
    });
    expect(memory.held).toBe(0);
    for (const one of open) one.reset();
  });

  it.each([
    [40_000, 80_000],
    // More than half of the limit of this route.
    [60_000, LIMITS.bodyBytes],
  ])(
    'take at most twice the memory of their bytes, and no more than the limit, even in chunks of one byte',
    async (bytes, most) => {
      const headers = ['Host: x', `Authorization: Bearer ${service.tokenOf('dee')}`, 'Content-Type: application/json'];
      const open = new RawConnection(service.url)
        .read()
        .write(
          `POST /api/users/manage-status HTTP/1.1\r\n${headers.join('\r\n')}\r\nTransfer-Encoding: chunked\r\n\r\n`,
        )
        .write(`3\r\n   \r\n${'1\r\n \r\n'.repeat(bytes - 3)}`);
      await eventually(() => expect(memory.held).toBeGreaterThanOrEqual(bytes));
      expect(memory.held).toBeLessThanOrEqual(most);
      open.reset();
    },
  );
});
