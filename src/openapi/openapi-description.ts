import { LIMITS } from '../contract/limits';
import { LANGUAGES } from '../i18n/languages';

const count = (limit: number) => limit.toLocaleString('en');

/** The text of the dialog that asks for a token. */
export const ACCESS_TOKEN =
  'An access token (JWT), without the word Bearer. On the demo directory, `npm run --silent cli -- token --sub ada` prints one of an administrator.';

/** The text on top of the document, in Markdown. */
export const DESCRIPTION = `
Administers user accounts: assigns users to workspaces and groups, which gives each user the type that fits what the user
may do, and activates or deactivates a user.

## Try it

1. Get an access token of an administrator. \`npm run --silent cli -- token --sub ada\` prints one for Ada, who is an
   administrator in the demo directory. Elsewhere, take one from your identity provider.
2. Press **Authorize**, paste the token (without \`Bearer\`), and close the dialog. The page remembers it when it is reloaded.
3. Open an operation and press **Execute**. The examples work on the demo directory as they stand: users \`ada\`, \`ben\`,
   \`cyd\`, \`dee\`, \`eve\` and \`zoe\`, workspaces \`atlas\`, \`borealis\` and \`cosmos\`, with groups such as \`atlas-editors\`.

## Every answer

- The message is in the language that \`accept-language\` asks for (${LANGUAGES.length} are spoken), else in English.
- \`X-Request-Id\` names the request; the log has it, too.
- With \`Accept: application/problem+json\`, a refusal is a problem document (RFC 9457) of the same status. Its \`code\` is for
  programs: it stays when the sentence changes.
- Where there is nothing at a path, the answer is 404 \`{"status":404,"message":"..."}\`.

## Sending again

Who heard no answer does not know whether the change was made. Any POST may be sent with an \`Idempotency-Key\` (IETF
draft-ietf-httpapi-idempotency-key-header-07), a new one for each change, and then be sent again without a second thought:

- The same request with the same key within ${LIMITS.idempotencyHours} hours is not done again. It gets the answer that the first one got, in the
  language of the first one, with the header \`Idempotency-Replayed: true\`. The same request has the same path and body, to the byte.
- A request that was refused or failed has changed nothing, and leaves its key free.
- While the first one is under way, a second one is answered 409; another request with the key, 422.
- The keys of two callers have nothing to do with each other.

## Limits

One assignment takes at most ${count(LIMITS.users)} users, ${count(LIMITS.workspaces)} workspaces, ${count(LIMITS.groups)} groups, and
${count(LIMITS.memberships)} memberships: users times (workspaces plus groups). Repeated ids count once. An id has 1 to
${LIMITS.identifier} characters, and a body at most ${LIMITS.bodyBytes / 1024 ** 2} MiB.
`.trim();
