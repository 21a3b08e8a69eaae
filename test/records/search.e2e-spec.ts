import { type ContractService, startContractService } from '../support/contract-service';
import { ask } from '../support/ask';

let service: ContractService;

beforeAll(async () => {
  service = await startContractService();
  const { directory } = service;
  for (const name of ['Γιώργος', 'ΓΙΏΡΓΟΣ', 'Γιώργοτ', 'Σοφία', 'İzmir ẞ', 'izmir ß']) await directory.workspace(name);
});
afterAll(() => service.close());

const GEORGE = ['ΓΙΏΡΓΟΣ', 'Γιώργος'];

// Greek has two small sigmas: ς at the end of a word, and σ elsewhere. Both have the capital Σ.
it.each([
  ['γιώργος', GEORGE],
  ['ΓΙΏΡΓΟΣ', GEORGE],
  ['γιώργοσ', GEORGE],
  ['ργοΣ', GEORGE],
  ['ργο', [...GEORGE, 'Γιώργοτ']],
  ['ΣΟΦΊΑ', ['Σοφία']],
  ['ςοφία', ['Σοφία']],
  ['σσσ', []],
  ['IZMIR', ['izmir ß', 'İzmir ẞ']],
  ['izmir ẞ', ['izmir ß', 'İzmir ẞ']],
])('a search for %s finds %j, whatever the case', async (search, names) => {
  const headers = { authorization: `Bearer ${service.serviceToken()}` };
  const { status, text } = await ask(`${service.url}/api/workspaces?search=${encodeURIComponent(search)}`, { headers });
  const { workspaces } = JSON.parse(text) as { workspaces: { name: string }[] };
  expect({ status, names: workspaces.map(({ name }) => name).sort() }).toEqual({
    status: 200,
    names: [...names].sort(),
  });
});
