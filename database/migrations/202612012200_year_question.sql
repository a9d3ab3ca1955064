-- Families are asked before a year ends whether their children return. A question for each year to come.
create table year_question (
  to_year_id    integer primary key references academic_year on delete cascade,
  from_year_id  integer not null unique references academic_year,
  words         text not null check (length(words) between 1 and 600),
  grade_ids     integer[] not null check (cardinality(grade_ids) between 1 and 200),
  opens_on      date not null,
  -- The last day on which families answer; then the office alone.
  closes_on     date not null,
  remind_days   smallint not null default 3 check (remind_days between 0 and 30),
  version       integer not null default 1,
  constraint year_question_days check (closes_on > opens_on),
  check (to_year_id <> from_year_id)
);
grant select, insert, update, delete on year_question to shala_app;

-- Each answer is kept; the last one of a person counts.
create table year_answer (
  id           integer generated always as identity primary key,
  to_year_id   integer not null references year_question,
  student_id   integer not null references student,
  guardian_id  integer references guardian,
  staff_id     integer references staff,
  answer       text not null check (answer in ('Staying', 'Leaving', 'Not sure')),
  last_day     date,
  reason_id    integer references academic_lookup,
  next_school  text not null default '' check (length(next_school) <= 120),
  made_at      timestamptz not null default school_now(),
  check ((guardian_id is null) <> (staff_id is null)),
  check (answer = 'Leaving' or (last_day is null and reason_id is null and next_school = ''))
);
create index on year_answer (to_year_id, student_id, id desc);
create index on year_answer (student_id);
create index on year_answer (guardian_id);
create index on year_answer (staff_id);
create index on year_answer (reason_id);
grant select, insert, update (student_id, guardian_id) on year_answer to shala_app;
create trigger only_by_merge before update of student_id on year_answer for each row
  when (old.student_id is distinct from new.student_id) execute function student_only_by_merge('student_id');

-- Who was sent a question, and reminded of it: nobody twice.
create table year_asking (
  to_year_id   integer not null references year_question on delete cascade,
  guardian_id  integer not null references guardian,
  round        text not null check (round in ('ask', 'remind')),
  sent_at      timestamptz not null,
  primary key (to_year_id, guardian_id, round)
);
create index on year_asking (guardian_id);
grant select, insert on year_asking to shala_app;

-- The children whom a question is about: the roll of its year in its grades, without those who leave.
create function year_asked(to_year integer) returns table (
  student_id integer, enrollment_id integer, branch_id integer, grade_id integer
) language sql stable as $$
  select own.student_id, own.id, own.branch_id, own.grade_id
  from year_question question
  join student_enrollment own on own.academic_year_id = question.from_year_id and own.is_standing
    and own.left_on is null and own.grade_id = any (question.grade_ids)
  where question.to_year_id = $1 and not exists (select from student_leaving leaving
    where leaving.student_id = own.student_id and leaving.undone_at is null and leaving.readmitted_on is null)
$$;

-- The guardians who are asked about a child: those who see everything of it.
create view year_asked_adult as
  select household.guardian_id, household.student_id from student_household household
  join student_guardian link using (guardian_id, student_id) where link.family_page = 'All';
grant select on year_asked_adult to shala_app;

-- The answer that counts for a child: the last one of the office, else that of the guardians where they agree. An adult
-- who sees the child no more does not count.
create view year_valid_answer as
  select last.to_year_id, last.student_id,
    coalesce(max(last.answer) filter (where last.guardian_id is null),
      case when count(distinct last.answer) = 1 then min(last.answer) else 'Differ' end) as answer,
    bool_or(last.guardian_id is null) as is_of_office,
    -- The row with its last day, reason and next school.
    coalesce(max(last.id) filter (where last.guardian_id is null), max(last.id)) as answer_id
  from (
    select distinct on (own.to_year_id, own.student_id, own.guardian_id) own.*
    from year_answer own order by own.to_year_id, own.student_id, own.guardian_id, own.id desc) last
  where last.guardian_id is null or exists (select from year_asked_adult adult
    where adult.guardian_id = last.guardian_id and adult.student_id = last.student_id)
  group by last.to_year_id, last.student_id;
grant select on year_valid_answer to shala_app;

-- What the families say of each child who is asked about, beside the enrolment whose result it proposes; '' for no answer.
create view year_proposal as
  select asked.enrollment_id, asked.student_id, asked.branch_id, asked.grade_id, question.to_year_id, question.from_year_id,
    coalesce(valid.answer, '') as answer, coalesce(valid.is_of_office, false) as is_of_office, valid.answer_id
  from year_question question
  cross join lateral year_asked(question.to_year_id) asked
  left join year_valid_answer valid on valid.to_year_id = question.to_year_id and valid.student_id = asked.student_id;
grant select on year_proposal to shala_app;
