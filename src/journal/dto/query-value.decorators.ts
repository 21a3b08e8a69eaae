import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsDate, IsInstance, IsInt, IsOptional, Max, Min, ValidateBy } from 'class-validator';
import { isIdentifier } from '../../contract/identifiers';
import { JournalCursor } from '../journal-cursor';

/** A moment, to the offset from UTC: a time without one would mean another moment on another machine. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;
const FINER_THAN_MILLISECONDS = /\.\d{3}\d*[1-9]/;

/** Makes of the text of a query parameter what it stands for. What is no text, such as a parameter given twice, stays. */
function Parsed(parse: (text: string) => unknown): PropertyDecorator {
  return Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? parse(value) : value));
}

/** The id of a record, or what could be one. */
export function IsId(): PropertyDecorator {
  return applyDecorators(IsOptional(), ValidateBy({ name: 'isId', validator: { validate: isIdentifier } }));
}

export function IsInstant(): PropertyDecorator {
  return applyDecorators(IsOptional(), Parsed(toInstant), IsDate());
}

export function IsWholeNumber(min: number, max: number): PropertyDecorator {
  return applyDecorators(
    Parsed((text) => (/^\d{1,9}$/.test(text) ? Number(text) : text)),
    IsInt(),
    Min(min),
    Max(max),
  );
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
