import { LIMITS } from '../../src/contract/limits';
import { readIdempotencyKey } from '../../src/idempotency/idempotency-key.rules';

const UUID = '8e03978e-40d5-43e8-bc93-6894a57f9324';

describe('the header Idempotency-Key', () => {
  it.each([
    ['a string', `"${UUID}"`, UUID],
    ['a string of one character', '" "', ' '],
    ['a string with a quote and a backslash', String.raw`"a\"b\\c"`, String.raw`a"b\c`],
    ['the longest string', `"${'x'.repeat(LIMITS.idempotencyKey)}"`, 'x'.repeat(LIMITS.idempotencyKey)],
    ['a string of as many escaped characters', `"${'\\"'.repeat(LIMITS.idempotencyKey)}"`, '"'.repeat(255)],
    ['bare', UUID, UUID],
    ['bare, with what URLs and base64 are made of', "aZ09-._~:/?#[]@!$&'()*+;=%", "aZ09-._~:/?#[]@!$&'()*+;=%"],
    ['the longest bare one', 'x'.repeat(LIMITS.idempotencyKey), 'x'.repeat(LIMITS.idempotencyKey)],
  ])('is accepted: %s', (_, header, key) => {
    expect(readIdempotencyKey(header)).toBe(key);
  });

  it.each([
    ['nothing', ''],
    ['an empty string', '""'],
    ['one quote', '"'],
    ['a string that does not end', '"key'],
    ['a string that ends in an escape', String.raw`"key\"`],
    ['a string with an escape of another character', String.raw`"a\b"`],
    ['a string with more behind it', '"key"x'],
    ['a string with parameters', '"key";a=1'],
    ['two strings, as from a header sent twice', '"one", "two"'],
    ['two bare ones, as from a header sent twice', 'one, two'],
    ['two bare ones without the space', 'one,two'],
    ['a space', 'a key'],
    ['a tab', '"a\tkey"'],
    ['what is not ASCII', '"schlüssel"'],
    ['what is not ASCII, bare', 'schlüssel'],
    ['DEL', '"\x7f"'],
    ['a string that is too long', `"${'x'.repeat(LIMITS.idempotencyKey + 1)}"`],
    ['a bare one that is too long', 'x'.repeat(LIMITS.idempotencyKey + 1)],
  ])('is refused: %s', (_, header) => {
    expect(() => readIdempotencyKey(header)).toThrow('idempotency.key_invalid');
  });

  it('is refused at once if it is hostile', () => {
    const began = process.cpuUsage();
    expect(() => readIdempotencyKey(`"${'\\"'.repeat(8_000)}`)).toThrow('idempotency.key_invalid');
    expect(process.cpuUsage(began).user).toBeLessThan(500_000);
  });
});
