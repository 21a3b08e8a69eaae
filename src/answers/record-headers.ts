import { type ParsedUrlQuery, stringify } from 'node:querystring';
import type { Request, Response } from 'express';
import { pathOf } from '@user-administration/http';
import { etagOf, requireMatch, setEtag } from './etag';

/** The kind of an answer without a sentence: one record, a created or renamed record, or a page of records. */
export type AnswerKind = 'record' | 'created' | 'renamed' | 'page';

/**
 * Whether there is more to read at once, on a page for followers, which always has a `next`. The address of the page
 * after it has the parameter `after` instead of `cursor`. The key is a symbol, so JSON does not contain it.
 */
export const HAS_MORE = Symbol('has more');

interface Page {
  next?: unknown;
  [HAS_MORE]?: boolean;
}

/** Sets the headers of an answer that is a record or a page. */
export function setRecordHeaders(
  kind: AnswerKind,
  publicUrl: string,
  request: Request,
  response: Response,
  answer: object,
): void {
  // Node accepts characters in a target that end the address in `Link`.
  const address = publicUrl + encodeURI(pathOf(request)).replaceAll('%25', '%');
  if (kind === 'page') return link(address, request, response, answer);
  if (kind === 'created') locate(address, response, answer);
  if (kind === 'renamed') locate(address.replace(/\/[^/]+\/rename\/?$/, ''), response, answer);
  // Changes have compared the locked record, and answer another version.
  if (['GET', 'HEAD'].includes(request.method)) requireMatch(request.headers['if-match'], answer);
  setEtag(etagOf(answer), request, response);
}

function locate(address: string, response: Response, created: object): void {
  if (!('id' in created)) return;
  const collection = address.replace(/\/$/, '');
  response.setHeader('Location', `${collection}/${encodeURIComponent(String(created.id))}`);
}

/**
 * The same address and query, with the cursor of the next page. What `parseQuery` read is written again, so that the
 * next page has the same filters.
 */
function link(address: string, request: Request, response: Response, { next, [HAS_MORE]: hasMore }: Page): void {
  if (typeof next !== 'string' || hasMore === false) return;
  const query = stringify({ ...(request.query as ParsedUrlQuery), [hasMore ? 'after' : 'cursor']: next });
  response.setHeader('Link', `<${address}?${query}>; rel="next"`);
}
