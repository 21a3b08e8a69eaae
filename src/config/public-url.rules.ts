/**
 * @returns the address without a trailing slash, so that a path can follow; undefined if it can be no base of addresses
 */
export function readPublicUrl(text: string): string | undefined {
  if (!/^https?:\/\/[^\s/\\?#][^\s\\?#]*$/i.test(text) || !URL.canParse(text)) return undefined;
  const { href, username, password } = new URL(text);
  return username === '' && password === '' ? href.replace(/\/+$/, '') : undefined;
}
