import fc from 'fast-check';
import { type Answer, post } from '../support/ask';
import { useTestService } from '../support/test-service';
import { everyRow, writeSmallDirectory } from '../support/small-directory';

const service = useTestService();
let ada: string;

beforeAll(async () => {
  await writeSmallDirectory(service);
  ada = service.tokenOf('ada');
});

const RUNS = 300;

/** Ids that are known, so that a body comes as far as it can; but no workspace, so that none is ever right. */
const id = fc.oneof(
  fc.constantFrom('ada', 'ben', 'cyd', 'atlas-managers', '__proto__', 'constructor', 'nobody', ''),
  fc.string({ unit: 'binary' }),
);
const anything = fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' });
const list = fc.oneof(fc.array(id), fc.array(fc.oneof(id, anything), { maxLength: 5 }), anything);
const assignment = fc.oneof(
  anything,
  fc.record({ userIds: list, workspaces: list, groups: list }, { requiredKeys: [] }),
);
const statusChange = (): fc.Arbitrary<unknown> =>
  fc.oneof(
    anything,
    fc.record({ id: fc.oneof(id, anything), token: fc.oneof(fc.string(), anything) }, { requiredKeys: [] }),
    fc.record({ id: fc.oneof(fc.constant('nobody'), anything), token: fc.constant(ada) }),
  );
const language = fc.oneof(
  fc.constantFrom('en', 'de', '*', 'zh-TW;q=0.4, *;q=0.1'),
  fc.stringMatching(/^[\x20-\x7e]{0,40}$/),
);

const send = (path: string, body: unknown, acceptLanguage: string): Promise<Answer> =>
  post(service.url + path, JSON.stringify(body), { authorization: `Bearer ${ada}`, 'accept-language': acceptLanguage });

describe('an arbitrary JSON body', () => {
  it('is refused by workspace-assign in its format, and nothing is written', async () => {
    const before = await everyRow(service);
    await fc.assert(
      fc.asyncProperty(assignment, language, async (body, acceptLanguage) => {
        const answer = await send('/api/users/workspace-assign', body, acceptLanguage);
        const { status, message, ...more } = JSON.parse(answer.text) as Record<string, unknown>;
        expect({ status, more }).toEqual({ status: 400, more: {} });
        expect(message).toEqual(expect.stringMatching(/./u));
        expect(answer.status).toBe(400);
      }),
      { numRuns: RUNS },
    );
    expect(await everyRow(service)).toEqual(before);
  });

  it('is refused by manage-status with the same sentence each time, and nothing is written', async () => {
    const before = await everyRow(service);
    const sentences = new Map<string | null, string>();
    await fc.assert(
      fc.asyncProperty(statusChange(), language, async (body, acceptLanguage) => {
        const answer = await send('/api/users/manage-status', body, acceptLanguage);
        expect(answer.status).toBe(401);
        expect(Object.keys(JSON.parse(answer.text) as object)).toEqual(['status', 'message']);
        const spoken = answer.headers.get('content-language');
        expect(answer.text).toBe(sentences.get(spoken) ?? answer.text);
        sentences.set(spoken, answer.text);
      }),
      { numRuns: RUNS },
    );
    expect(await everyRow(service)).toEqual(before);
  });
});
