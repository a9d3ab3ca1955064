-- Who teaches a section and who sits in it, each since when (areas.md K3, K4 and appendix 2). A row without a last day holds
-- until its academic year ends. What belongs together says so by keys over several columns, so that a section's people
-- are always of its year, branch, program and grade.

alter table academic_section
  add column is_roll_locked boolean not null default false,
  add constraint academic_section_place unique (id, academic_year_id, branch_id, program_id, grade_id);

-- The register's beginnings: what placing a student needs.
create table student (
  id           integer generated always as identity primary key,
  branch_id    integer not null references academic_branch,
  gr_no        text not null check (length(gr_no) between 1 and 20),
  first_name   text not null check (length(first_name) between 1 and 50),
  middle_name  text not null default '' check (length(middle_name) <= 50),
  last_name    text not null check (length(last_name) between 1 and 50),
  gender       text not null check (gender in ('M', 'F', 'T')),
  birth_date   date not null,
  status       text not null default 'Active' check (status in ('Active', 'On leave', 'Left', 'Alumni')),
  left_on      date,
  version      integer not null default 1,
  check ((status in ('Left', 'Alumni')) = (left_on is not null))
);
create unique index student_gr_no_unique on student (branch_id, lower(gr_no));

create table student_enrollment (
  id                integer generated always as identity primary key,
  student_id        integer not null references student,
  academic_year_id  integer not null references academic_year,
  branch_id         integer not null references academic_branch,
  program_id        integer not null references academic_program,
  grade_id          integer not null references academic_grade,
  admission_type    text not null check (admission_type in ('New', 'Existing')),
  status            text not null default 'Active'
    check (status in ('Active', 'Promoted', 'Detained', 'Left', 'Transferred')),
  joined_on         date not null,
  left_on           date check (left_on >= joined_on),
  check ((status in ('Left', 'Transferred')) = (left_on is not null)),
  constraint student_enrollment_place unique (id, student_id, academic_year_id, branch_id, program_id, grade_id)
);
create unique index student_enrollment_once on student_enrollment (student_id, academic_year_id)
  where status <> 'Transferred';
create index on student_enrollment (academic_year_id, grade_id);
create index on student_enrollment (branch_id);
create index on student_enrollment (program_id);
create index on student_enrollment (grade_id);
create trigger closed_year before insert or update or delete on student_enrollment
  for each row execute function academic_refuse_closed_year();

create table student_section (
  id                integer generated always as identity primary key,
  enrollment_id     integer not null,
  student_id        integer not null,
  academic_year_id  integer not null,
  branch_id         integer not null,
  program_id        integer not null,
  grade_id          integer not null,
  section_id        integer not null,
  roll_no           smallint check (roll_no between 1 and 999),
  effective_from    date not null,
  effective_to      date check (effective_to >= effective_from),
  reason            text not null default '' check (length(reason) <= 200),
  constraint student_section_of_enrollment
    foreign key (enrollment_id, student_id, academic_year_id, branch_id, program_id, grade_id)
    references student_enrollment (id, student_id, academic_year_id, branch_id, program_id, grade_id),
  constraint student_section_of_section foreign key (section_id, academic_year_id, branch_id, program_id, grade_id)
    references academic_section (id, academic_year_id, branch_id, program_id, grade_id),
  constraint student_section_overlap exclude using gist
    (student_id with =, academic_year_id with =, daterange(effective_from, effective_to, '[]') with &&),
  -- Checked at the end of a statement, so that two may change their numbers.
  constraint student_section_roll exclude using btree (section_id with =, roll_no with =)
    where (effective_to is null) deferrable initially immediate
);
create index on student_section (enrollment_id);
create index on student_section (section_id, effective_from);
create trigger closed_year before insert or update or delete on student_section
  for each row execute function academic_refuse_closed_year();

-- Nobody is in a section before they joined, after they left, or outside the year.
create function student_keep_section_inside() returns trigger language plpgsql as $$
begin
  perform 1 from student_enrollment where id = (to_jsonb(new) ->> tg_argv[0])::integer for share;
  if exists (
      select 1 from student_section own
      join student_enrollment enrollment on enrollment.id = own.enrollment_id
      join academic_year year on year.id = own.academic_year_id
      where own.enrollment_id = (to_jsonb(new) ->> tg_argv[0])::integer
        and (own.effective_from < greatest(enrollment.joined_on, year.starts_on)
          or greatest(own.effective_from, coalesce(own.effective_to, year.ends_on)) >
            least(enrollment.left_on, year.ends_on))) then
    raise exception 'a section is held only while enrolled' using errcode = '23514', constraint = 'student_section_inside';
  end if;
  return null;
end $$;
create trigger inside after insert or update of enrollment_id, effective_from, effective_to on student_section
  for each row execute function student_keep_section_inside('enrollment_id');
create trigger inside after update on student_enrollment
  for each row execute function student_keep_section_inside('id');

-- On no day are more students in a section than it holds, whichever of the two is changed. The section is held, so that
-- of two who come for the last seat one waits for the other.
create function student_keep_capacity() returns trigger language plpgsql as $$
declare
  section academic_section;
begin
  select * into section from academic_section
    where id = (to_jsonb(new) ->> tg_argv[0])::integer for no key update;
  if section.capacity < (
      select max(strength) from (
        select (select count(*) from student_section other where other.section_id = section.id
          and other.effective_from <= own.effective_from
          and coalesce(other.effective_to, 'infinity') >= own.effective_from) as strength
        from student_section own where own.section_id = section.id) as days) then
    raise exception 'the section is full' using errcode = '23514', constraint = 'academic_section_capacity_held';
  end if;
  return null;
end $$;
create trigger capacity after insert or update of section_id, effective_from, effective_to on student_section
  for each row execute function student_keep_capacity('section_id');
create trigger capacity after update of capacity on academic_section
  for each row when (new.capacity < old.capacity) execute function student_keep_capacity('id');

create table academic_section_teacher (
  id                integer generated always as identity primary key,
  academic_year_id  integer not null,
  branch_id         integer not null,
  program_id        integer not null,
  grade_id          integer not null,
  section_id        integer not null,
  staff_id          integer not null references staff,
  role              text not null check (role in ('Class teacher', 'Co-class teacher', 'Subject teacher')),
  subject_id        integer references configuration_subject,
  periods_per_week  smallint check (periods_per_week between 1 and 60),
  effective_from    date not null,
  effective_to      date,
  version           integer not null default 1,
  constraint academic_section_teacher_days check (effective_to >= effective_from),
  constraint academic_section_teacher_subject check ((role = 'Subject teacher') = (subject_id is not null)),
  constraint academic_section_teacher_of_section foreign key (section_id, academic_year_id, branch_id, program_id, grade_id)
    references academic_section (id, academic_year_id, branch_id, program_id, grade_id),
  constraint academic_section_teacher_is_taught foreign key (academic_year_id, program_id, grade_id, subject_id)
    references configuration_grade_subject (academic_year_id, program_id, grade_id, subject_id),
  constraint academic_section_teacher_one_class_teacher exclude using gist
    (section_id with =, daterange(effective_from, effective_to, '[]') with &&) where (role = 'Class teacher'),
  constraint academic_section_teacher_overlap exclude using gist
    (section_id with =, staff_id with =, role with =, (coalesce(subject_id, 0)) with =,
      daterange(effective_from, effective_to, '[]') with &&)
);
create index on academic_section_teacher (section_id);
create index on academic_section_teacher (staff_id);
create index on academic_section_teacher (subject_id);
create index on academic_section_teacher (academic_year_id, program_id, grade_id, subject_id);
create trigger closed_year before insert or update or delete on academic_section_teacher
  for each row execute function academic_refuse_closed_year();

create function academic_keep_teacher_inside() returns trigger language plpgsql as $$
begin
  if exists (select 1 from academic_year where id = new.academic_year_id
      and (new.effective_from not between starts_on and ends_on or new.effective_to > ends_on)) then
    raise exception 'outside the year' using errcode = '23514', constraint = 'academic_section_teacher_inside_year';
  end if;
  return null;
end $$;
create trigger inside_year after insert or update on academic_section_teacher
  for each row execute function academic_keep_teacher_inside();

-- A year keeps the days on which something is entered for its sections.
create function academic_keep_people_inside() returns trigger language plpgsql as $$
begin
  if exists (
      select 1 from academic_section_teacher where academic_year_id = new.id
        and (effective_from < new.starts_on or greatest(effective_from, effective_to) > new.ends_on)
      union all
      select 1 from student_section where academic_year_id = new.id
        and (effective_from < new.starts_on or greatest(effective_from, effective_to) > new.ends_on)) then
    raise exception 'somebody would be outside the year' using errcode = '23514', constraint = 'academic_year_people';
  end if;
  return null;
end $$;
create trigger people_inside after update of starts_on, ends_on on academic_year
  for each row execute function academic_keep_people_inside();

grant select, insert, update, delete on student, student_enrollment, student_section, academic_section_teacher to shala_app;
