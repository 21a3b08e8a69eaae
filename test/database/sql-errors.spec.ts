import { DatabaseError } from 'pg';
import { QueryFailedError } from 'typeorm';
import {
  isConflict,
  isConnectionOver,
  isDatabaseUnavailable,
  isRefusedConnection,
  isShortage,
  mayConnectLater,
} from '@user-administration/postgres';
import { refusalOf, translateDatabaseError } from '../../src/database/refusals';

const answered = (code: string, constraint?: string) =>
  new QueryFailedError('SELECT', [], Object.assign(new DatabaseError('refused', 0, 'error'), { code, constraint }));
const without = (code: string) => Object.assign(new Error('no connection'), { code });

describe('a failed statement', () => {
  it.each([
    ...['08000', '08006', '25006', '25P03', '25P04', '26000', '28P01', '28000', '3D000', '42P05', '53000', '53100'],
    ...['53200', '53300', '55P03', '57014', '57P01', '57P02', '57P03', '57P04', '57P05', '58000', '58030', '58P01'],
  ])('means with the SQLSTATE %s that the database is unavailable', (code) => {
    expect(isDatabaseUnavailable(answered(code))).toBe(true);
    expect(translateDatabaseError(answered(code))).toMatchObject({ code: 'service.unavailable' });
  });

  it.each(['22012', '23505', '25001', '25P01', '25P02', '42501', '42601', '53400', '55006', '57000', '57P06', 'XX000'])(
    'is a fault of ours with the SQLSTATE %s',
    (code) => {
      expect(isDatabaseUnavailable(answered(code))).toBe(false);
      expect(translateDatabaseError(answered(code))).toBeUndefined();
    },
  );

  it.each(['40001', '40P01'])('is a conflict with the SQLSTATE %s, which can end', (code) => {
    expect([isConflict(answered(code)), isDatabaseUnavailable(answered(code))]).toEqual([true, false]);
    expect(translateDatabaseError(answered(code))).toMatchObject({ code: 'service.unavailable' });
  });

  it.each([
    ['UA001', undefined, 'directory.last_administrator'],
    ['UA002', undefined, 'status.not_permitted'],
    ['UA003', undefined, 'auth.token_invalid'],
    ['UA004', undefined, 'auth.administrator_required'],
    ['UA005', undefined, 'request.too_large_to_represent'],
    ['UA006', undefined, 'service.failed'],
    ['23505', 'groups_id_unique', 'record.id_taken'],
    ['23505', 'users_email_unique', 'user.email_taken'],
    ['23503', 'users_email_unique', undefined],
    ['23505', 'another', undefined],
  ])('with the SQLSTATE %s and the constraint %s is the refusal %s', (state, constraint, code) => {
    expect(refusalOf(answered(state, constraint))?.code).toBe(code);
  });

  it.each([
    ['53100', true],
    ['53200', true],
    ['58030', true],
    ['53000', false],
    ['53300', false],
    ['57014', false],
  ])('with the SQLSTATE %s is a lack of room, memory or files: %s', (code, expected) => {
    expect(isShortage(answered(code))).toBe(expected);
  });

  it.each([
    [answered('08006').driverError, true],
    [answered('57P01').driverError, true],
    [answered('57014').driverError, false],
    [answered('53200').driverError, false],
    [without('ECONNRESET'), true],
  ])('was the last of its connection, for %j: %s', (error, expected) => {
    expect(isConnectionOver(error)).toBe(expected);
  });
});

describe('a failed connection', () => {
  it.each([
    ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'ENOENT', 'EAI_AGAIN', 'EHOSTUNREACH'],
    'ENETUNREACH',
  ])('means with the code %s that the database is unavailable, also for several addresses', (code) => {
    expect(isDatabaseUnavailable(without(code))).toBe(true);
    expect(isDatabaseUnavailable(new AggregateError([without(code)]))).toBe(true);
    expect(mayConnectLater(without(code))).toBe(true);
  });

  it.each([
    ['28P01', false],
    ['28000', false],
    ['3D000', false],
    ['53300', true],
    ['57P03', true],
    ['42501', false],
  ])('with the SQLSTATE %s can succeed later: %s', (code, expected) => {
    expect(mayConnectLater(answered(code))).toBe(expected);
  });

  it.each([
    ['53300', true],
    ['28P01', true],
    ['ECONNREFUSED', true],
    ['ENOENT', true],
    ['ECONNRESET', false],
    ['ETIMEDOUT', false],
    ['EPIPE', false],
  ])('with the code %s was refused: %s', (code, expected) => {
    expect(isRefusedConnection(without(code))).toBe(expected);
  });
});
