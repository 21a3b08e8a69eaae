import { applyDecorators } from '@nestjs/common';
import { IsDate, IsInstance, IsOptional } from 'class-validator';
import { Parsed } from '../../server/query-value.decorators';
import { JournalCursor } from '../journal-cursor';

/** A moment, to the offset from UTC: a time without one would mean another moment on another machine. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;
const FINER_THAN_MILLISECONDS = /\.\d{3}\d*[1-9]/;

export function IsInstant(): PropertyDecorator {
  return applyDecorators(IsOptional(), Parsed(toInstant), IsDate());
}

export function IsJournalCursor(): PropertyDecorator {
  return applyDecorators(
    IsOptional(),
    Parsed((text) => JournalCursor.read(text) ?? text),
    IsInstance(JournalCursor),
  );
}

/**
 * `Date` takes the 30th of February for the 2nd of March, so what it understood must be the day that was asked for. It drops
 * what is less than a millisecond: the journal tells time to the millisecond, so nothing stands between this and the next.
 */
function toInstant(text: string): Date | string {
  const date = new Date(text);
  const day = text.slice(0, 10);
  if (!INSTANT.test(text) || Number.isNaN(date.getTime()) || !isDay(day)) return text;
  return FINER_THAN_MILLISECONDS.test(text) ? new Date(date.getTime() + 1) : date;
}

function isDay(day: string): boolean {
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
}
