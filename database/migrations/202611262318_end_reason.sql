-- Why families go elsewhere is chosen from lists that the school keeps, so that it can be counted.

alter table academic_lookup
  drop constraint academic_lookup_kind_check,
  add constraint academic_lookup_kind_check check (kind in ('Language', 'Nationality', 'Religion', 'Caste category',
    'Blood group', 'Lead source', 'Relation', 'Document', 'Student category', 'Leaving reason', 'Reason lost',
    'Reason withdrawn'));
insert into academic_lookup (kind, is_system, name)
select kind, is_system, unnest(names) from (values
  ('Reason lost', false, array['Fees', 'Distance', 'Joined another school', 'No seat', 'No answer', 'Moved away']),
  ('Reason lost', true, array['Other']),
  ('Reason withdrawn', false, array['Fees', 'Distance', 'Joined another school', 'Moved away', 'Family reasons']),
  ('Reason withdrawn', true, array['Other'])
) as given (kind, is_system, names);

alter table admission_inquiry add column ended_reason_id integer references academic_lookup;
create index on admission_inquiry (ended_reason_id);
