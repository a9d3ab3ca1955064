-- What a student and a section are called, written once for every query. A student without a middle name keeps its empty
-- place in sort_name, and so stands before those who have one.
alter table student
  add column name text not null generated always as
    (first_name || ' ' || case when middle_name = '' then '' else middle_name || ' ' end || last_name) stored,
  add column sort_name text not null generated always as
    (lower(first_name || ' ' || middle_name || ' ' || last_name)) stored;

create function academic_section_name(grade text, section text) returns text language sql immutable parallel safe as $$
  select grade || ', ' || section
$$;
