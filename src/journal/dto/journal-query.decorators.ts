import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsInt, IsOptional, ValidateBy } from 'class-validator';
import { LIMITS } from '../../contract/limits';
import { PageLimit } from '../../openapi/page-limit.decorator';
import { isDeclaredAction } from '../../contract/plugin-actions';
import { Parsed } from '../../server/query-value.decorators';
import { FollowerCursor } from '../follower-cursor';

/** Actions, given by repeating the parameter. Repeated actions count once. */
export function IsActions(): PropertyDecorator {
  return applyDecorators(
    IsOptional(),
    Transform(({ value }: { value: unknown }) => [...new Set([value].flat())]),
    ValidateBy({ name: 'isAction', validator: { validate: isDeclaredAction } }, { each: true }),
  );
}

/** The `next` of a page backwards: the id of its last entry. */
export function IsEntryId(): PropertyDecorator {
  const isPosition = (text: string) => /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text));
  return applyDecorators(
    IsOptional(),
    Parsed((text) => (isPosition(text) ? Number(text) : text)),
    IsInt(),
  );
}

/** A follower's position: a cursor, `now` to start at the present, or `start` at the oldest entry. */
export function IsFollowerCursor(): PropertyDecorator {
  const validate = (value: unknown) => value === 'now' || value === 'start' || value instanceof FollowerCursor;
  return applyDecorators(
    IsOptional(),
    Parsed((text) => FollowerCursor.read(text) ?? text),
    ValidateBy({ name: 'isFollowerCursor', validator: { validate } }),
  );
}

/** The query parameter `limit`: more if the entries are brief. */
export function JournalPageLimit(): PropertyDecorator {
  const [most, mostBrief] = [LIMITS.journalPage, LIMITS.journalBriefPage].map((limit) => limit.toLocaleString('en'));
  return applyDecorators(
    PageLimit(
      LIMITS.journalBriefPage,
      `The most entries on a page: up to ${most}, or ${mostBrief} if they are \`brief\`. A page can have fewer, ` +
        'even none.',
    ),
    ValidateBy({
      name: 'isBriefIfLong',
      validator: {
        validate: (value, given) =>
          value <= LIMITS.journalPage || (given?.object as { brief?: boolean }).brief === true,
      },
    }),
  );
}

/** A parameter that applies only to followers, or only to other readers. */
export function IsOnlyWhere(applies: (query: { after?: unknown }) => boolean): PropertyDecorator {
  return ValidateBy({
    name: 'isOnlyWhere',
    validator: { validate: (value, given) => !value || applies((given?.object ?? {}) as { after?: unknown }) },
  });
}
