-- Words that records choose from (areas.md K2).

create table academic_lookup (
  id         integer generated always as identity primary key,
  kind       text not null check (kind in ('Language', 'Nationality', 'Religion', 'Caste category', 'Blood group',
               'Lead source', 'Relation', 'Document')),
  name       text not null check (length(name) between 1 and 60),
  is_system  boolean not null default false,
  is_active  boolean not null default true,
  version    integer not null default 1
);
create unique index academic_lookup_name_unique on academic_lookup (kind, lower(name));
grant select, insert, update, delete on academic_lookup to shala_app;

-- What forms count on by its name keeps it, and stays.
create function academic_keep_system_lookup() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if not old.is_system and not new.is_system then return new; end if;
    if (new.kind, new.name, new.is_system, new.is_active) = (old.kind, old.name, old.is_system, old.is_active) then
      return new;
    end if;
  elsif not old.is_system then
    return old;
  end if;
  raise exception 'a fixed word stays as it is' using errcode = '23514', constraint = 'academic_lookup_system';
end $$;
create trigger system before update or delete on academic_lookup
  for each row execute function academic_keep_system_lookup();

-- What every school begins with. Fixed are the words that the admission form knows by name.
insert into academic_lookup (kind, is_system, name)
select kind, is_system, unnest(names) from (values
  ('Language', true, array['Gujarati', 'Hindi', 'Marwadi', 'Sindhi', 'Marathi', 'Tamil', 'Telugu', 'Bengali',
    'Malayalam', 'Punjabi', 'Urdu', 'English', 'Tulu', 'Kannada', 'Other']),
  ('Nationality', false, array['Indian', 'Other']),
  ('Religion', false, array['Buddhist', 'Christian', 'Hindu', 'Jain', 'Muslim', 'Parsi', 'Sikh', 'Other', 'Prefer not to say']),
  ('Caste category', false, array['General', 'EWS', 'OBC', 'SC', 'ST', 'Prefer not to say']),
  ('Blood group', true, array['A+', 'A-', 'B+', 'B-', 'AB+', 'AB-', 'O+', 'O-']),
  ('Lead source', false, array['Advertisement', 'Event at school', 'Friends or family', 'Former student', 'Social media',
    'Walk-in', 'Website', 'Other']),
  ('Relation', false, array['Father', 'Mother', 'Guardian', 'Grandfather', 'Grandmother', 'Uncle', 'Aunt', 'Brother',
    'Sister', 'Other']),
  ('Document', true, array['Birth Certificate', 'Aadhar Card', 'No Due Certificate', 'Other'])
) as given (kind, is_system, names);
