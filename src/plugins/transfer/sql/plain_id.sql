-- An id without what spreadsheets and their users add or take away: blanks, `'` before it, `="..."` around it, `.0`
-- after it, and zeros before it. Two ids with the same plain form are likely to be one.
--
-- Locks: nothing.
-- Returns text, which can be empty.
CREATE OR REPLACE FUNCTION plain_id(id text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT regexp_replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(
    id, '[\u0009-\u000d\u0020\u0085\u00a0\u1680\u2000-\u200f\u2028\u2029\u202f\u205f\u2060\u3000\ufeff]', '', 'g'),
    '^''+', ''), '^="(.*)"$', '\1'), '[.]0$', ''), '^0+(?=.)', '')
$$;
