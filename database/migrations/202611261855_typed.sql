-- Equal for texts that read the same, as `sameText` (src/kit/contract/typed.ts) compares them before they are stored.
-- Lower case follows the letters' parts, so that É is é in every locale of a database.
create function same_text(words text) returns text language sql immutable parallel safe strict as $$
  select lower(translate(
    trim(regexp_replace(
      regexp_replace(normalize(words, NFD),
        E'[\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFFC]',
        '', 'g'),
      E'[\u0009-\u000D\u0020\u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u2800\u3000]+', ' ', 'g')),
    E'\u2018\u2019\u02BC\u2032\u00B4\u0060\u201C\u201D\u2033\u2010\u2011\u2012\u2013\u2014\u2015\u2212',
    E'\u0027\u0027\u0027\u0027\u0027\u0027"""-------'))
$$;

-- Corrections of stored data that need the keys: each runs once, after the start.
create table data_correction (
  name     text primary key,
  done_at  timestamptz not null default now()
);
grant select, insert on data_correction to shala_app;
