import { ask } from '../support/ask';
import type { TestService } from '../support/test-service';

/** The workspaces that a search finds. */
export async function findWorkspaces(service: TestService, search: string): Promise<{ id: string; name: string }[]> {
  const headers = { authorization: `Bearer ${service.serviceToken()}` };
  const { status, text } = await ask(`${service.url}/api/workspaces?search=${encodeURIComponent(search)}`, { headers });
  expect(status).toBe(200);
  return (JSON.parse(text) as { workspaces: { id: string; name: string }[] }).workspaces;
}
