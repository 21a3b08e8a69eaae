import type { Page } from 'playwright-core';

/** What a page does that no page should do is an error on its console. Run it before the page's own scripts. */
export const SECURITY_LISTENER = `document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
  console.error('Content-Security-Policy', violatedDirective, blockedURI));`;

/** Errors on the console, of scripts, and of the Content-Security-Policy. It grows as long as the page is open. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  return complaints;
}
