import { LIMITS } from '../contract/limits';
import { LANGUAGES } from '../i18n/languages';

const count = (limit: number) => limit.toLocaleString('en');

const TAGS = [
  { name: 'Users', description: 'Find users, assign them to workspaces and groups, activate and deactivate them.' },
  { name: 'Workspaces', description: 'The workspaces that users are assigned to.' },
  { name: 'Groups', description: 'The groups within workspaces.' },
  {
    name: 'Permissions',
    description: 'The permissions of users, workspaces and groups, and the user types that they grant.',
  },
  { name: 'Journal', description: 'The record of all changes.' },
];
const LAST = { name: 'Health', description: 'For the operators of the service. No token is needed.' };

/** The groups of operations, in the order in which an administrator needs them. */
export const tagsOf = (plugins: readonly Tag[]): Tag[] => [...TAGS, ...plugins, LAST];

interface Tag {
  name: string;
  description?: string;
}

/** The text of the dialog that asks for a token. */
export const ACCESS_TOKEN = `An access token (JWT) of an administrator, with or without the word \`Bearer\`. For the
demo directory,
\`npm run --silent cli -- token --sub ada\` prints one.`;

/** What the document says about the scheme by which people sign in. */
export const ORGANISATION_SIGN_IN =
  'Signing in with your organisation: authorization code with PKCE. The access token is then sent as a bearer token.';

/** The text at the top of the document, in Markdown. */
export const DESCRIPTION = `
Administers user accounts: assigns users to workspaces and groups, derives each
user's type from the permissions that the user holds, and activates or deactivates users.

**Try it:** open an operation and press **Execute**. The examples work on the demo directory as they are: users \`ada\`,
\`ben\`,
\`cyd\`, \`dee\`, \`eve\` and \`zoe\`, workspaces \`atlas\`, \`borealis\` and \`cosmos\`, and groups such as
\`atlas-editors\`. The address that \`npm start\` prints signs you in. Elsewhere, press **Sign in** and paste an access
token of an administrator.

<details><summary>Answers and errors</summary>

- The message is in the language that \`accept-language\` asks for (one of ${LANGUAGES.length}), otherwise in English.
  The answer names it in \`Content-Language\`, and has \`Vary: Accept-Language\`.
- Every answer has an \`X-Request-Id\`: yours, or a new one. It is also in the log.
- With \`Accept: application/problem+json\`, an error is a problem document (RFC 9457) with the same status. Its
  \`code\` is for programs: it stays the same when the message changes.
- An unknown path is answered 404. A path or query whose percent-encoding is not UTF-8 is answered 400.
- A query parameter that the operation does not have is refused with 400, in any spelling. Unknown fields of a body are
  ignored, unless the request has \`Prefer: handling=strict\` (RFC 7240): then the first of them is refused, before the
  body is checked otherwise.
- If path, query and headers together are too large (16 KiB, unless configured otherwise), the answer is 431.
- A change of a record has this order of checks: read-only fields, other fields, existence of the record, \`If-Match\`
  and
  \`If-None-Match\`, unknown ids in the body, conflicts.

</details>

<details><summary>Retries</summary>

A caller that receives no response cannot know whether the change was made. Any POST can have an \`Idempotency-Key\`
(IETF draft-ietf-httpapi-idempotency-key-header-07), a new one for each change, of at most ${LIMITS.idempotencyKey}
characters. Retries are then safe:

- The same request with the same key within ${LIMITS.idempotencyHours} hours is not executed again. It gets the first
  answer, in the first language, with the header \`Idempotency-Replayed: true\`. Its path, query, preferences and body
  must be the same, byte for byte.
- The key of a request that was refused or failed can be used again. A success keeps its key, also if nothing had to
  change.
- While the first request is being processed, a second one is answered 409. A different request with the same key is
  answered 422.
- Keys of different callers are independent. A deleted user's keys are not those of a later user with the same id.

</details>

<details><summary>Limits</summary>

One assignment or unassignment takes at most ${count(LIMITS.users)} users, ${count(LIMITS.workspaces)} workspaces,
${count(LIMITS.groups)} groups, and
${count(LIMITS.memberships)} memberships: users times (workspaces plus groups). Repeated ids count once. An id has 1 to
${LIMITS.identifier} characters. A body is JSON in UTF-8 without compression, of at most ${LIMITS.bodyBytes / 1024} KiB,
or ${LIMITS.listBodyBytes / 1024 ** 2} MiB where it holds lists of ids.

Answers to requests of \`/api\`, except 401, have \`RateLimit-Policy\`, with the limits of each address and of each
caller, and
\`RateLimit\`, with what remains of them.

</details>
`.trim();
