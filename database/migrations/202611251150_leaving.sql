-- The last day on which an account signs in, set when its person is relieved (decision 0067). A person who comes back has
-- no access until an Admin restores it.
alter table sign_in_account add column ends_on date;

-- A person who has left is not offered any more.
create or replace function is_active(staff) returns boolean language sql stable as $$
  select not exists (select 1 from sign_in_account where staff_id = $1.id and not is_active)
    and coalesce((select max(coalesce(last_day, 'infinity')) from staff_employment where staff_id = $1.id)
      >= (now() at time zone 'Asia/Kolkata')::date, true)
$$;

-- A person with a last day is assigned until that day at most. The reference to staff has waited for a relieving at the
-- same time: its trigger comes first by name.
create function staff_refuse_after_last_day() returns trigger language plpgsql as $$
begin
  if (select max(coalesce(last_day, 'infinity')) from staff_employment where staff_id = new.staff_id)
      < coalesce(new.effective_to, (select ends_on from academic_year where id = new.academic_year_id)) then
    raise exception 'after the last day' using errcode = '23514', constraint = 'academic_section_teacher_employed';
  end if;
  return null;
end $$;
create trigger employed after insert or update on academic_section_teacher
  for each row execute function staff_refuse_after_last_day();
