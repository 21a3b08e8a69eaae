import { LIMITS } from '../../src/contract/limits';
import type { TestService } from './test-service';

/** A page as it came. */
export interface WalkedPage<Body> {
  status: number;
  bytes: number;
  link: string | null;
  body: Body & { next: string | null };
}

/**
 * SQL for an id or a name that takes the most bytes in JSON: 255 characters, of which all but the name and the number at its end are
 * control characters, which JSON writes with six bytes each.
 */
export function costly(name: string, n = 'n'): string {
  return `(repeat(chr(1), ${255 - 8 - name.length}) || '${name}' || lpad((${n})::text, 8, '0'))`;
}

/** The number at the end of such an id. */
export function numberIn(id: string): number {
  return Number(id.slice(-8));
}

export async function getPage<Body>(service: TestService, path: string): Promise<WalkedPage<Body>> {
  const headers = { authorization: `Bearer ${service.tokenOf('ada')}` };
  const response = await fetch(`${service.url}${path}`, { headers });
  const bytes = Buffer.from(await response.arrayBuffer());
  const body = JSON.parse(bytes.toString()) as WalkedPage<Body>['body'];
  return { status: response.status, link: response.headers.get('link'), bytes: bytes.length, body };
}

/** All pages of a list, none of them larger than a page may be. Each cursor differs from the one before. */
export async function walkPages<Body>(service: TestService, path: string): Promise<Body[]> {
  const pages: Body[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: WalkedPage<Body> = await getPage<Body>(service, `${path}${cursor && `&cursor=${cursor}`}`);
    expect([page.status, page.link === null]).toEqual([200, page.body.next === null]);
    expect(page.bytes).toBeLessThanOrEqual(LIMITS.pageBytes);
    expect(page.body.next).not.toBe(cursor);
    pages.push(page.body);
    cursor = page.body.next;
  }
  return pages;
}
