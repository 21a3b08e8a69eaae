import { z } from 'zod';

/** Ids are opaque, and compared exactly. The schemas tell bounds that the service judges, with its code and sentence. */
export const id = z.string().meta({ minLength: 1, maxLength: 255 });
export const ids = (most: number) => z.array(id).max(most).meta({ minItems: 1 });
export const reason = z.string().meta({ minLength: 1, maxLength: 500, description: 'Why, for the journal.' });
export const cursor = z.string().optional().describe('`next` of the previous answer.');
export const limit = z.int().min(1).max(50).default(20);
export const next = z.string().nullable().describe('The cursor of what follows; null at the end.');
/** Lists are capped, and say so. */
export const more = z.boolean().describe('Whether there are more than this answer lists.');
export const total = z
  .object({ count: z.int(), exact: z.boolean() })
  .describe('All that match; at least so many unless exact.');

/** A record of the service. A newer service can add fields. */
export const person = z.looseObject({
  id: z.string(),
  displayName: z.string().nullable(),
  type: z.string(),
  status: z.string(),
});
export const named = z.looseObject({ id: z.string(), name: z.string() });
/** What a change did to each person. */
export const result = z.looseObject({
  users: z.array(z.looseObject({ id: z.string() })),
  unchanged: z.int(),
});
export const entries = z.array(z.looseObject({ id: z.string(), at: z.string(), action: z.string() }));
