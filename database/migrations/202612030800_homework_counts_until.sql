-- Homework that is due on a day without school counts until the next school day of the grade. The due day itself never moves,
-- so a day that is opened again changes nothing for good.
create function homework_counts_until(of_year integer, of_grade integer, due date) returns date language sql stable as $$
  select coalesce(min(days.day), $3) from academic_school_days($1, $3, $3 + 120) as days
  where days.grade_id = $2 and days.work > 0
$$;

-- Set by the triggers below; the default only lets a row come without it.
alter table homework_section add column counts_until date default 'infinity';
alter table homework_extension add column counts_until date default 'infinity';

alter table homework_section disable trigger user;
update homework_section given set counts_until = coalesce(next.day, given.due_on)
from homework_section own
left join lateral (
  select min(days.day) as day from academic_school_days(own.academic_year_id, own.due_on, own.due_on) as days
  where days.grade_id = own.grade_id and days.work > 0) as today on true
left join lateral (
  select case when today.day is not null then own.due_on
    else homework_counts_until(own.academic_year_id, own.grade_id, own.due_on) end as day) as next on true
where own.id = given.id;
alter table homework_section enable trigger user;
alter table homework_extension disable trigger user;
update homework_extension own set counts_until = homework_counts_until(given.academic_year_id, given.grade_id, own.due_on)
from homework_section given where given.id = own.homework_section_id;
alter table homework_extension enable trigger user;

alter table homework_section alter column counts_until set not null,
  add constraint homework_section_counts check (counts_until >= due_on);
alter table homework_extension alter column counts_until set not null,
  add constraint homework_extension_counts check (counts_until >= due_on);
create index on homework_section (section_id, counts_until);

-- A due day that is set has school, as `homework_keep_rules` demands; more time for a child may end on a day without school.
create function homework_section_counts() returns trigger language plpgsql as $$
begin
  new.counts_until := new.due_on;
  return new;
end $$;
create trigger counts before insert or update of due_on on homework_section
  for each row execute function homework_section_counts();
create function homework_extension_counts() returns trigger language plpgsql as $$
begin
  select homework_counts_until(given.academic_year_id, given.grade_id, new.due_on) into new.counts_until
    from homework_section given where given.id = new.homework_section_id;
  return new;
end $$;
create trigger counts before insert or update of due_on on homework_extension
  for each row execute function homework_extension_counts();
