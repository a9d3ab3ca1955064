-- A doubled consonant ends a word without a vowel: ભટ્ટ is Bhatt, and only here the rules of romanise want a sign for that.
alter function romanise(text) rename to romanise_letters;

create function romanise(words text) returns text language sql immutable parallel safe strict as $$
  select public.romanise_letters(regexp_replace(words, '([ક-હक-ह])([્्])\1(?![ऀ-ॿ઀-૿])', '\1\2\1\2', 'g'))
$$;

-- Vohra and Vora are one surname in the search.
alter function search_key(text) rename to spelled_key;

-- An h after a vowel is not heard before another consonant.
create function without_silent_h(key text) returns text language sql immutable parallel safe strict as $$
  select regexp_replace(key, '([aeiou])h(?=[b-df-gj-np-tv-z])', '\1', 'g')
$$;

-- Named in full, so that a copy by pg_dump can be restored.
create function search_key(words text) returns text language sql immutable parallel safe strict as $$
  select public.without_silent_h(public.spelled_key(words))
$$;

-- Stored with and without such an h, since also "Voh" and "Meh" begin a name.
create or replace function name_key(words text) returns text language sql immutable parallel safe strict as $$
  select regexp_replace(
    coalesce(string_agg(' ' || heard || case when heard = spelled then '' else ' ' || spelled end, '' order by place), ' '),
    ' (shaikh?|sheikh?|shekh)(?= |$)', ' shaikh sheikh shekh', 'g')
  from string_to_table(ltrim(public.spelled_key(words)), ' ') with ordinality as word (spelled, place),
    public.without_silent_h(spelled) as heard
$$;

alter table student alter column search_key set expression as
  (name_key(first_name || ' ' || middle_name || ' ' || last_name || ' ' || gr_no));
alter table staff alter column search_key set expression as (name_key(name || ' ' || employee_number));
alter table admission_inquiry alter column search_key set expression as (name_key(
  coalesce(first_name, '') || ' ' || coalesce(last_name, '') || ' ' || inquiry_no || ' ' ||
  coalesce(father_first_name, '') || ' ' || coalesce(mother_first_name, '')));
