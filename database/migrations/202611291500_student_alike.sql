-- The words by which the names of two people are compared, in every script and without titles: "Mohd Ayaan" is "ayan",
-- "Rameshbhai" is "ramesh". Named in full, so that a copy by pg_dump can be restored.
create function name_words(words text) returns text[] language sql immutable parallel safe strict as $$
  select coalesce(array_agg(
    case when word ~ '^(shaikh?|sheikh?|shekh)$' then 'shekh'
      else regexp_replace(word, '^(.{3,})(bhai|ben|kumar)$', '\1') end order by place), '{}')
  from string_to_table(trim(regexp_replace(public.search_key(words),
    '^( (mr|mrs|ms|dr|shri|smt|kum|kumari|late|master|mis|md|mo|mod|mohamed|mohamad|muhamed|muhamad))+(?= .)', '')), ' ')
    with ordinality as own (word, place)
  where word <> ''
$$;

-- 2 for one name, also with its words in another order or without a last name; 1 for one that is near; else 0.
create function names_fit(first_one text[], last_one text[], first_other text[], last_other text[]) returns integer
language sql immutable parallel safe as $$
  select case
    -- Ali Hasan and Ali Husain are two, and so are Child 5 and Child 50; Ramesh K. and Ramesh are one.
    when first_one[1] = first_other[1] and first_one[2] <> first_other[2]
      and ((first_one[2] || first_other[2]) ~ '[0-9]'
        or not starts_with(first_one[2], first_other[2]) and not starts_with(first_other[2], first_one[2])) then 0
    when first_one[1] = first_other[1] and (last_one = last_other or last_one = '{}' or last_other = '{}') then 2
    when cardinality(first_one || last_one) > 1 and cardinality(first_one || last_one) = cardinality(first_other || last_other)
      and (first_one || last_one) @> (first_other || last_other) and (first_one || last_one) <@ (first_other || last_other) then 2
    when first_one[1] = first_other[1] then 1
    when (last_one = last_other or last_one = '{}' or last_other = '{}')
      and ((least(length(first_one[1]), length(first_other[1])) >= 3
          and (starts_with(first_one[1], first_other[1]) or starts_with(first_other[1], first_one[1])))
        or similarity(first_one[1], first_other[1]) >= 0.5) then 1
    else 0 end
$$;

-- Day and month the other way round, or one part of the date different.
create function is_near_day(one date, other date) returns boolean language sql immutable parallel safe strict as $$
  select to_char(one, 'YYYYDDMM') = to_char(other, 'YYYYMMDD')
    or (extract(year from one) = extract(year from other))::integer + (extract(month from one) = extract(month from other))::integer
      + (extract(day from one) = extract(day from other))::integer = 2
$$;

-- "GR-2007", "2007.0", "02007" and "૨૦૦૭" are one number.
create function gr_key(number text) returns text language sql immutable parallel safe strict as $$
  select ltrim(regexp_replace(regexp_replace(regexp_replace(
    lower(translate(normalize(trim(number), NFKC), '૦૧૨૩૪૫૬૭૮૯०१२३४५६७८९', '01234567890123456789')),
    '\.0+$', ''), '[^a-z0-9]', '', 'g'), '^gr(no|number)?(?=[0-9])', ''), '0')
$$;

-- Stored: computed while comparing they take twenty times as long.
alter table student
  add column first_words text[] not null generated always as (name_words(first_name)) stored,
  add column last_words text[] not null generated always as (name_words(last_name)) stored;
create index student_first_word on student ((first_words[1]), birth_date);
create index student_gr_key on student (branch_id, gr_key(gr_no));
