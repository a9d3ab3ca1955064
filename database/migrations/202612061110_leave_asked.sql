-- A guardian asks for leave of the own child: the row and its request name the guardian in place of an employee.
alter table attendance_leave
  alter column noted_by drop not null,
  add column asked_by_guardian_id integer references guardian,
  add constraint attendance_leave_asker check (num_nonnulls(noted_by, asked_by_guardian_id) = 1);
create index on attendance_leave (asked_by_guardian_id);

-- A parent who works here grants no leave to the own child.
create function attendance_leave_not_own_child() returns trigger language plpgsql as $$
begin
  if new.state = 'Granted' and exists (
      select from student_guardian link
      join guardian adult on adult.id = link.guardian_id and adult.staff_id = new.noted_by
      where link.student_id = new.student_id and link.role <> 'Contact') then
    raise exception 'a parent grants no leave' using errcode = '23514', constraint = 'attendance_leave_own_child';
  end if;
  return new;
end $$;
create trigger own_child before insert on attendance_leave for each row execute function attendance_leave_not_own_child();

alter table approval
  alter column requested_by drop not null,
  add column requested_by_guardian_id integer references guardian,
  add constraint approval_asker check (num_nonnulls(requested_by, requested_by_guardian_id) = 1);
create index on approval (requested_by_guardian_id);

-- A guardian who withdraws a request is no employee.
do $$
declare
  old text;
begin
  select conname into strict old from pg_constraint where conrelid = 'approval'::regclass
    and pg_get_constraintdef(oid) = 'CHECK (((decided_at IS NULL) = (decided_by IS NULL)))';
  execute format('alter table approval drop constraint %I', old);
end $$;
alter table approval add constraint approval_decider check (
  (decided_at is null) = (decided_by is null)
  or (status = 'Withdrawn' and decided_by is null and requested_by_guardian_id is not null));

create or replace function approval_second_person() returns trigger language plpgsql as $$
begin
  if new.status in ('Approved', 'Rejected')
      and not may_be_second(new.requested_by, new.requested_by_guardian_id, new.student_id, new.decided_by) then
    raise exception 'a second person decides' using errcode = '23514', constraint = 'approval_second_person';
  end if;
  return new;
end $$;
