-- People are searched by one column, which has every spelling of a surname that is written in several ways.

-- The form in which names are stored, for what is typed in the form of search_key: Shaikh, Sheikh, Shekh and શેખ are one
-- surname, and each beginning of each spelling finds it.
create function name_key(words text) returns text language sql immutable parallel safe strict as $$
  select regexp_replace(public.search_key(words), ' (shaikh?|sheikh?|shekh)(?= |$)', ' shaikh sheikh shekh', 'g')
$$;

alter table student alter column search_key set expression as
  (name_key(first_name || ' ' || middle_name || ' ' || last_name || ' ' || gr_no));
alter table staff alter column search_key set expression as (name_key(name || ' ' || employee_number));
alter table staff drop column search_text;
