-- Sections are looked up by their teachers more often than teachers by their section, which has an index of its own. Led by
-- the section, this index was read whole for each teacher of a list, by plans that are kept for a connection.
alter table academic_section_teacher drop constraint academic_section_teacher_overlap;
alter table academic_section_teacher add constraint academic_section_teacher_overlap exclude using gist
  (staff_id with =, section_id with =, role with =, (coalesce(subject_id, 0)) with =,
    daterange(effective_from, effective_to, '[]') with &&);

-- Those who are not offered any more: their account is inactive, or their last day has passed. Statements about many people
-- join it once, and is_active asks it for one person.
create view staff_inactive as
  select staff_id from sign_in_account where not is_active
  union
  select staff_id from staff_employment group by staff_id
    having max(coalesce(last_day, 'infinity')) < (now() at time zone 'Asia/Kolkata')::date;
grant select on staff_inactive to shala_app;

create or replace function is_active(staff) returns boolean language sql stable as $$
  select not exists (select 1 from staff_inactive where staff_id = $1.id)
$$;
