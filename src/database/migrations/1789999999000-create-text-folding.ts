import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Simple case folding of Unicode 17 (CaseFolding.txt, statuses C and S) beyond ASCII, and `İ` to `i`. An entry is a
 * range of code points in hexadecimal, its step if that is not 1, and what its first one folds to. The others fold at
 * the same distance.
 */
const FOLDINGS = `
  b5>3bc c0-d6>e0 d8-de>f8 100-12e/2>101 130>69 132-136/2>133 139-147/2>13a 14a-176/2>14b 178>ff 179-17d/2>17a
  17f>73 181>253 182-184/2>183 186>254 187>188 189-18a>256 18b>18c 18e>1dd 18f>259 190>25b 191>192 193>260 194>263
  196>269 197>268 198>199 19c>26f 19d>272 19f>275 1a0-1a4/2>1a1 1a6>280 1a7>1a8 1a9>283 1ac>1ad 1ae>288 1af>1b0
  1b1-1b2>28a 1b3-1b5/2>1b4 1b7>292 1b8>1b9 1bc>1bd 1c4>1c6 1c5>1c6 1c7>1c9 1c8>1c9 1ca>1cc 1cb-1db/2>1cc
  1de-1ee/2>1df 1f1>1f3 1f2-1f4/2>1f3 1f6>195 1f7>1bf 1f8-21e/2>1f9 220>19e 222-232/2>223 23a>2c65 23b>23c 23d>19a
  23e>2c66 241>242 243>180 244>289 245>28c 246-24e/2>247 345>3b9 370-372/2>371 376>377 37f>3f3 386>3ac 388-38a>3ad
  38c>3cc 38e-38f>3cd 391-3a1>3b1 3a3-3ab>3c3 3c2>3c3 3cf>3d7 3d0>3b2 3d1>3b8 3d5>3c6 3d6>3c0 3d8-3ee/2>3d9
  3f0>3ba 3f1>3c1 3f4>3b8 3f5>3b5 3f7>3f8 3f9>3f2 3fa>3fb 3fd-3ff>37b 400-40f>450 410-42f>430 460-480/2>461
  48a-4be/2>48b 4c0>4cf 4c1-4cd/2>4c2 4d0-52e/2>4d1 531-556>561 10a0-10c5>2d00 10c7>2d27 10cd>2d2d 13f8-13fd>13f0
  1c80>432 1c81>434 1c82>43e 1c83-1c84>441 1c85>442 1c86>44a 1c87>463 1c88>a64b 1c89>1c8a 1c90-1cba>10d0
  1cbd-1cbf>10fd 1e00-1e94/2>1e01 1e9b>1e61 1e9e>df 1ea0-1efe/2>1ea1 1f08-1f0f>1f00 1f18-1f1d>1f10 1f28-1f2f>1f20
  1f38-1f3f>1f30 1f48-1f4d>1f40 1f59-1f5f/2>1f51 1f68-1f6f>1f60 1f88-1f8f>1f80 1f98-1f9f>1f90 1fa8-1faf>1fa0
  1fb8-1fb9>1fb0 1fba-1fbb>1f70 1fbc>1fb3 1fbe>3b9 1fc8-1fcb>1f72 1fcc>1fc3 1fd8-1fd9>1fd0 1fda-1fdb>1f76
  1fe8-1fe9>1fe0 1fea-1feb>1f7a 1fec>1fe5 1ff8-1ff9>1f78 1ffa-1ffb>1f7c 1ffc>1ff3 2126>3c9 212a>6b 212b>e5
  2132>214e 2160-216f>2170 2183>2184 24b6-24cf>24d0 2c00-2c2f>2c30 2c60>2c61 2c62>26b 2c63>1d7d 2c64>27d
  2c67-2c6b/2>2c68 2c6d>251 2c6e>271 2c6f>250 2c70>252 2c72>2c73 2c75>2c76 2c7e-2c7f>23f 2c80-2ce2/2>2c81
  2ceb-2ced/2>2cec 2cf2>2cf3 a640-a66c/2>a641 a680-a69a/2>a681 a722-a72e/2>a723 a732-a76e/2>a733 a779-a77b/2>a77a
  a77d>1d79 a77e-a786/2>a77f a78b>a78c a78d>265 a790-a792/2>a791 a796-a7a8/2>a797 a7aa>266 a7ab>25c a7ac>261
  a7ad>26c a7ae>26a a7b0>29e a7b1>287 a7b2>29d a7b3>ab53 a7b4-a7c2/2>a7b5 a7c4>a794 a7c5>282 a7c6>1d8e
  a7c7-a7c9/2>a7c8 a7cb>264 a7cc-a7da/2>a7cd a7dc>19b a7f5>a7f6 ab70-abbf>13a0 fb05>fb06 ff21-ff3a>ff41
  10400-10427>10428 104b0-104d3>104d8 10570-1057a>10597 1057c-1058a>105a3 1058c-10592>105b3 10594-10595>105bb
  10c80-10cb2>10cc0 10d50-10d65>10d70 118a0-118bf>118c0 16e40-16e5f>16e60 16ea0-16eb8>16ebb 1e900-1e921>1e922`;

/**
 * Letters of European languages. They have a table of their own, because `translate` compares each character with its
 * whole table.
 */
const COMMON = /[\u00b5-\u017f\u0386-\u03c2\u0400-\u042f]/;

/** Ranges that hold all others. Text without them, such as Chinese, needs no table. */
const OTHERS =
  String.raw`[\u0181-\u0385\u03cf-\u03ff\u0460-\u0556\u10a0-\u10cd\u13f8-\u13fd\u1c80-\u1cbf\u1e00-\u1ffc` +
  String.raw`\u2126-\u2183\u24b6-\u24cf\u2c00-\u2cf2\ua640-\ua7f5\uab70-\uabbf\ufb05` +
  String.raw`\uff21-\uff3a\U00010400-\U0001e921]`;

/** White space of Unicode beyond ASCII. */
const OTHER_BLANKS =
  String.raw`\u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a` +
  String.raw`\u2028\u2029\u202f\u205f\u3000`;

/** How texts are compared and searched: by folded case everywhere, and in searches without accents. */
export class CreateTextFolding1789999999000 implements MigrationInterface {
  name = 'CreateTextFolding1789999999000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DO $$ BEGIN
        CREATE EXTENSION IF NOT EXISTS pg_trgm;
      EXCEPTION WHEN insufficient_privilege OR undefined_file OR feature_not_supported THEN
        NULL;
      END $$`);
    await this.createCaseFolding(queryRunner);
    await this.createSearch(queryRunner);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'DROP FUNCTION name_order(text), searchable(text, text, text), searchable_part(text), without_accents(text), ' +
        'fold_case(text)',
    );
    await queryRunner.query(`DROP EXTENSION IF EXISTS pg_trgm`);
  }

  /**
   * Makes texts that differ only in case, or in how they are composed, equal, whatever the locale of the database.
   * Indexes and columns depend on it, so it must never change.
   */
  private async createCaseFolding(queryRunner: QueryRunner): Promise<void> {
    const foldings = caseFoldings();
    const translate = (isIncluded: (letter: string) => boolean) => {
      const included = foldings.filter(([letter]) => isIncluded(letter));
      return (
        `translate(folded, '${included.map(([from]) => from).join('')}', ` +
        `'${included.map(([, to]) => to).join('')}')`
      );
    };
    await queryRunner.query(`
      CREATE FUNCTION fold_case(given text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
      DECLARE folded text := lower(given COLLATE "C");
      BEGIN
        IF octet_length(folded) = char_length(folded) THEN
          RETURN folded;
        END IF;
        -- Composed first: a table of single characters knows \`İ\`, and not the \`I\` with a dot that it is made of.
        folded := lower(normalize(given, NFC) COLLATE "C");
        folded := ${translate((letter) => COMMON.test(letter))};
        IF folded ~ '${OTHERS}' THEN
          folded := ${translate((letter) => !COMMON.test(letter))};
        END IF;
        RETURN normalize(folded, NFC);
      END $$`);
  }

  private async createSearch(queryRunner: QueryRunner): Promise<void> {
    // For a search, accents do not matter: an accent is a mark from U+0300 to U+036F of the decomposed text. Other
    // letters are as people type them without their keys. White space becomes a space. Punctuation becomes capital
    // letters, because trigrams ignore it and LIKE gives some of it a meaning.
    await queryRunner.query(`
      CREATE FUNCTION without_accents(folded text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
      BEGIN
        folded := normalize(regexp_replace(normalize(folded, NFD), '[\\u0300-\\u036f]', '', 'g'), NFC);
        folded := translate(folded, 'øđłı' || E'${OTHER_BLANKS}', rpad('odli', ${4 + OTHER_BLANKS.length / 6}));
        RETURN replace(replace(replace(replace(folded, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
      END $$`);
    await queryRunner.query(`
      CREATE FUNCTION searchable_part(folded text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
      BEGIN
        IF octet_length(folded) > char_length(folded) THEN
          folded := without_accents(folded);
        END IF;
        RETURN translate(folded, E'\\t\\n\\x0b\\f\\r' || '!#$%&''()*+,-./:;=?@[\\\\]_|~',
        '     ABCDEFGHIJKLMNOPQRSTUVWXY');
      END $$`);
    // Three lines: the id, the email, and the name or description. Columns depend on this function, so it must never
    // change. A column gives it the texts themselves instead of an expression that joins them: PostgreSQL parses the
    // stored expression for every statement that updates a record, although the column stays as it is. RETURN binds the
    // functions that it calls, which a restored dump would not find by name.
    const line = (text: string) => `COALESCE(searchable_part(fold_case(${text})), '')`;
    await queryRunner.query(`
      CREATE FUNCTION searchable(id text, email text, name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
      RETURN ${line('id')} || E'\\n' || ${line('email')} || E'\\n' || ${line('name')}`);
    // What lists by name sort by: the name as a search compares it, after '0' or, without a name, '1'. It is cut so
    // that an index can hold it with any id.
    await queryRunner.query(`
      CREATE FUNCTION name_order(name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
      RETURN CASE WHEN name IS NULL THEN '1' ELSE '0' || left(btrim(regexp_replace(
        translate(without_accents(fold_case(name)), E'\\t\\n\\x0b\\f\\r', '     '), ' +', ' ', 'g')), 255) END`);
  }
}

function caseFoldings(): [from: string, to: string][] {
  return FOLDINGS.trim()
    .split(/\s+/)
    .flatMap((entry) => {
      const [range = '', target = ''] = entry.split('>');
      const [ends = '', step = '1'] = range.split('/');
      const [first = 0, last = first] = ends.split('-').map((code) => parseInt(code, 16));
      const pairs: [string, string][] = [];
      for (let code = first; code <= last; code += Number(step)) {
        pairs.push([String.fromCodePoint(code), String.fromCodePoint(parseInt(target, 16) + code - first)]);
      }
      return pairs;
    });
}
