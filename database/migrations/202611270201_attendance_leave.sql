-- Leave of children: asked, granted by the class teacher up to some days and beyond by the principal, cancelled.
create table attendance_leave (
  id                integer generated always as identity primary key,
  academic_year_id  integer not null references academic_year,
  student_id        integer not null references student,
  from_day          date not null,
  to_day            date not null,
  half              text not null default 'Whole day' check (half in ('Whole day', 'First half', 'Second half')),
  kind              text not null check (kind in ('Sick', 'Family', 'Religious', 'Competition', 'Other')),
  reason            text not null default '' check (length(reason) <= 300),
  state             text not null check (state in ('Asked', 'Granted', 'Rejected', 'Cancelled')),
  -- Half school days of this leave, and with the granted leave beside it, when it was asked.
  halves            smallint not null check (halves > 0),
  counted           smallint not null check (counted >= halves),
  noted_by          integer not null references staff,
  noted_at          timestamptz not null,
  version           integer not null default 1,
  check (to_day >= from_day),
  constraint attendance_leave_half check (half = 'Whole day' or from_day = to_day),
  constraint attendance_leave_overlap exclude using gist
    (student_id with =, daterange(from_day, to_day, '[]') with &&) where (state in ('Asked', 'Granted'))
);
create index on attendance_leave (academic_year_id, from_day);
create index on attendance_leave (student_id);
create index on attendance_leave (noted_by);
create index on attendance_leave (from_day desc, id);
grant select, insert, update (state, version) on attendance_leave to shala_app;
create trigger closed_year after insert on attendance_leave referencing new table as changed
  for each statement execute function academic_refuse_closed_years();

-- A leave lies in its year; one over two years is two rows.
create function attendance_leave_in_year() returns trigger language plpgsql as $$
begin
  if not exists (select from academic_year where id = new.academic_year_id
      and new.from_day >= starts_on and new.to_day <= ends_on) then
    raise exception 'the leave is outside its year' using errcode = '23514', constraint = 'attendance_leave_year';
  end if;
  return new;
end $$;
create trigger in_year before insert on attendance_leave for each row execute function attendance_leave_in_year();

-- The code that a granted leave gives a register: none where the school has no such active code.
create function attendance_leave_code(kind text, half text) returns integer language sql stable as $$
  select code.id from attendance_code code
  where code.is_active and code.kind = case when $2 <> 'Whole day' then 'Half day' when $1 = 'Competition' then 'On duty' else 'Leave' end
  order by code.code = case when $1 = 'Sick' then 'ML' else 'LV' end desc, code.position limit 1
$$;

alter table approval add column attendance_leave_id integer references attendance_leave;
create unique index approval_attendance_leave on approval (attendance_leave_id) where status = 'Pending';
create index on approval (attendance_leave_id);
-- The kinds of other features stay as they are.
do $$
declare
  known text;
begin
  select substr(pg_get_constraintdef(oid), 7) into known from pg_constraint
    where conrelid = 'approval'::regclass and conname = 'approval_kind';
  alter table approval drop constraint approval_kind;
  execute 'alter table approval add constraint approval_kind check (' || known
    || $kinds$ or kind in ('attendance.correction', 'attendance.leave'))$kinds$;
end $$;
alter table approval add constraint approval_subject_leave
  check ((kind = 'attendance.leave') = (attendance_leave_id is not null));
