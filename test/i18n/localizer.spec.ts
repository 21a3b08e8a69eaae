import { Controller, Get } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { I18nLang } from 'nestjs-i18n';
import request from 'supertest';
import { ERRORS, type ErrorCode } from '../../src/contract/errors';
import { I18nMessagesModule } from '../../src/i18n/i18n.module';
import { LANGUAGES } from '../../src/i18n/languages';
import { Localizer } from '../../src/i18n/localizer';

/** The sentences that the specification and the contract show. Callers compare them to the byte. */
const FROZEN: [key: string, sentence: string, args?: { max: number }][] = [
  ['answers.users.assigned', 'Users successfully assigned to workspaces.'],
  ['answers.status.updated', 'User status updated successfully'],
  ['errors.auth.token_invalid', 'Please sign in with a valid token.'],
  ['errors.auth.administrator_required', 'Only an administrator can do this.'],
  ['errors.user.required', 'Please select at least one user.'],
  ['errors.user.invalid', 'Please select a valid User.'],
  ['errors.workspace.required', 'Please select at least one workspace.'],
  ['errors.workspace.invalid', 'Please select a valid Workspace.'],
  ['errors.group.invalid', 'Please select a valid Group.'],
  ['errors.status.not_permitted', 'Invalid token or user ID'],
  ['errors.status.last_administrator', 'The last active administrator cannot be deactivated.'],
  ['errors.request.too_many_users', 'This request is too large: at most 10,000 users.', { max: 10_000 }],
  ['errors.request.too_many_workspaces', 'This request is too large: at most 1,000 workspaces.', { max: 1_000 }],
  ['errors.request.too_many_groups', 'This request is too large: at most 1,000 groups.', { max: 1_000 }],
  [
    'errors.request.too_many_memberships',
    'This request is too large: at most 1,000,000 memberships.',
    { max: 1_000_000 },
  ],
];

/** A number, its group separator and the noun after it, as the language writes them (`\u00a0` and `\u202f` do not break). */
const COUNTED: [language: string, max: number, sentence: string][] = [
  ['de', 10_000, 'Diese Anfrage ist zu groß: höchstens 10.000 Benutzer.'],
  ['fr', 10_000, 'Cette requête est trop volumineuse\u00a0: 10\u202f000 utilisateurs au maximum.'],
  ['fr', 1_000_000, 'Cette requête est trop volumineuse\u00a0: 1\u202f000\u202f000 d’utilisateurs au maximum.'],
  ['pl', 1, 'To żądanie jest zbyt duże: maksymalnie 1 użytkownik.'],
  ['pl', 10_000, 'To żądanie jest zbyt duże: maksymalnie 10\u00a0000 użytkowników.'],
  ['ru', 21, 'Этот запрос слишком большой: не более 21 пользователя.'],
  ['ru', 10_000, 'Этот запрос слишком большой: не более 10\u00a0000 пользователей.'],
  ['uk', 3, 'Цей запит завеликий: щонайбільше 3 користувачі.'],
  ['uk', 10_000, 'Цей запит завеликий: щонайбільше 10\u00a0000 користувачів.'],
  ['ar', 2, 'هذا الطلب كبير جدًا: الحد الأقصى هو مستخدمان.'],
  ['ar', 3, 'هذا الطلب كبير جدًا: الحد الأقصى هو 3 مستخدمين.'],
  ['ar', 11, 'هذا الطلب كبير جدًا: الحد الأقصى هو 11 مستخدمًا.'],
  ['ar', 10_000, 'هذا الطلب كبير جدًا: الحد الأقصى هو 10,000 مستخدم.'],
  ['hi', 1_000_000, 'यह अनुरोध बहुत बड़ा है: अधिकतम 10,00,000 उपयोगकर्ता।'],
  ['ja', 10_000, 'リクエストが大きすぎます。ユーザーは最大 10,000 人です。'],
];

@Controller()
class LanguageController {
  @Get('language')
  language(@I18nLang() language: string): string {
    return language;
  }
}

describe('Localizer', () => {
  let app: NestExpressApplication;
  let localizer: Localizer;

  beforeAll(async () => {
    const module = await Test.createTestingModule({
      imports: [I18nMessagesModule.register([])],
      controllers: [LanguageController],
    }).compile();
    app = module.createNestApplication<NestExpressApplication>({ logger: false });
    await app.init();
    localizer = app.get(Localizer);
  });

  afterAll(() => app.close());

  const say = (key: string, language: string, args?: Record<string, number | string>) => {
    const [, kind, path = ''] = /^(errors|answers)\.(.*)$/.exec(key) ?? [];
    return localizer.sentence(kind as 'errors' | 'answers', path, language, args).text;
  };

  it.each(FROZEN.map(([key, sentence, args = {}]) => ({ key, sentence, args })))(
    'says $key as the contract shows it',
    ({ key, sentence, args }) => {
      expect(say(key, 'en', args)).toBe(sentence);
    },
  );

  it.each(COUNTED)('uses the plural forms of %s: %i', (language, max, sentence) => {
    expect(say('errors.request.too_many_users', language, { max })).toBe(sentence);
  });

  it('has a sentence for every error in every language, which is the same each time', () => {
    for (const language of LANGUAGES) {
      for (const code of Object.keys(ERRORS) as ErrorCode[]) {
        const sentence = say(`errors.${code}`, language, {
          max: 1,
          seconds: 30,
          count: 2,
          name: 'limit',
          field: 'name',
          types: 'text/csv',
        });
        expect(sentence).not.toBe('');
        expect(
          say(`errors.${code}`, language, {
            max: 1,
            seconds: 30,
            count: 2,
            name: 'limit',
            field: 'name',
            types: 'text/csv',
          }),
        ).toBe(sentence);
      }
    }
  });

  it('uses English for an unknown language', () => {
    for (const language of ['xx', 'DE', '', '__proto__', 'constructor']) {
      expect(say('errors.user.invalid', language)).toBe('Please select a valid User.');
    }
  });

  it('refuses an unknown key, and missing arguments', () => {
    expect(() => say('errors.user.nonsense', 'de')).toThrow('errors.user.nonsense');
    expect(() => say('errors.user', 'de')).toThrow('errors.user');
    expect(() => say('errors.request.too_many_users', 'de')).toThrow('max');
  });

  it('gives the decorators of nestjs-i18n the same language', async () => {
    await request(app.getHttpServer()).get('/language').set('accept-language', 'zh-TW').expect(200, 'zh-Hant');
    await request(app.getHttpServer()).get('/language').set('accept-language', 'fr;q=0').expect(200, 'en');
  });
});

describe('the languages', () => {
  it('are the seventeen of the contract', () => {
    expect([...LANGUAGES].sort().join(' ')).toBe('ar de en es fr hi it ja ko nl pl pt-BR ru tr uk zh-Hans zh-Hant');
  });

  it('have canonical names', () => {
    expect(Intl.getCanonicalLocales([...LANGUAGES])).toEqual(LANGUAGES);
  });
});
