import type { Request, Response } from 'express';
import helmet from 'helmet';
import type { SignIn } from './sign-in';

/** A page without inline scripts and styles, which its Content-Security-Policy blocks. */
interface HtmlPage {
  title: string;
  /** Of the element `html`, besides its language. */
  attributes?: Readonly<Record<string, string>>;
  styles: string[];
  body: string[];
}

/** Sends a page, with what it needs to sign people in if the service has an identity provider. */
export async function sendHtml(
  request: Request,
  response: Response,
  page: HtmlPage,
  signIn: SignIn | undefined,
): Promise<void> {
  const given = await signIn?.present();
  contentSecurityPolicy(given?.origins ?? [])(request, response, () => {
    response.set('Cache-Control', 'no-cache').type('html').send(htmlOf(page, given?.settings));
  });
}

/** Permits what a page needs from this service and from the identity provider, and nothing else. */
const contentSecurityPolicy = (origins: string[]) =>
  helmet.contentSecurityPolicy({
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
      imgSrc: ["'self'", 'data:'],
      connectSrc: ["'self'", ...origins],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
      // There is no upgrade-insecure-requests: if the service is reached by plain http at an address other than
      // localhost, a browser would request the page's files by https, and fail. TLS ends at a proxy, and nothing here
      // uses http:.
    },
  });

function htmlOf({ title, attributes = {}, styles, body }: HtmlPage, signIn: object | undefined): string {
  const named = Object.entries({ lang: 'en', ...attributes }).map(([name, value]) => ` ${name}="${escaped(value)}"`);
  const head = [
    '<meta charset="utf-8" />',
    '<meta name="viewport" content="width=device-width, initial-scale=1" />',
    `<title>${title}</title>`,
    `<link rel="icon" href="${FAVICON}" />`,
    ...styles.map((style) => `<link rel="stylesheet" href="${style}" />`),
    ...(signIn ? [`<meta name="sign-in" content="${escaped(JSON.stringify(signIn))}" />`] : []),
  ];
  const lines = (elements: string[]) => elements.map((element) => `    ${element}\n`).join('');
  return `<!doctype html>
<html${named.join('')}>
  <head>
${lines(head)}  </head>
  <body>
${lines(body)}  </body>
</html>
`;
}

function escaped(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

const FAVICON =
  'data:image/svg+xml,' +
  encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" fill="#1b5e8a">' +
      '<circle cx="8" cy="4.5" r="3.5"/><path d="M1 16a7 7 0 0 1 14 0z"/></svg>',
  );
