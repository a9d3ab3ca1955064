-- An announcement asks for consent or a choice, per child; the answers of guardians, and of the office on paper.
set constraints all immediate;
set constraints all deferred;
alter table announcement
  add column asks text not null default 'Nothing' check (asks in ('Nothing', 'Acknowledgement', 'Consent', 'Choice')),
  add column options text[] not null default '{}';
update announcement set asks = 'Acknowledgement' where needs_acknowledgement;
set constraints all immediate;
set constraints all deferred;
alter table announcement drop constraint announcement_acknowledge;
alter table announcement drop column needs_acknowledgement;
alter table announcement
  add column needs_acknowledgement boolean not null generated always as (asks = 'Acknowledgement') stored,
  add constraint announcement_acknowledge check (acknowledge_by is null or asks <> 'Nothing'),
  add constraint announcement_last_day check (acknowledge_by is not null or asks not in ('Consent', 'Choice')),
  add constraint announcement_options check (case when asks = 'Choice' then cardinality(options) between 2 and 6 else options = '{}' end);

-- Kept in the words of the answer, so that those to an earlier text can be read when the options have changed.
create table announcement_answer (
  id               integer generated always as identity primary key,
  announcement_id  integer not null,
  version          smallint not null,
  student_id       integer not null references student,
  guardian_id      integer references guardian,
  staff_id         integer references staff,
  answer           text not null check (length(answer) between 1 and 100),
  note             text not null default '' check (length(note) <= 200),
  at               timestamptz not null,
  foreign key (announcement_id, version) references announcement_version (announcement_id, number),
  check (num_nonnulls(guardian_id, staff_id) = 1)
);
create index on announcement_answer (announcement_id, student_id, id desc);
create index on announcement_answer (student_id);
create index on announcement_answer (guardian_id) where guardian_id is not null;
create index on announcement_answer (staff_id) where staff_id is not null;
grant select, insert, update (student_id, guardian_id) on announcement_answer to shala_app;

-- The answers to the text that asks now: a correction keeps them, a new version asks again, and those to a new version that was
-- undone count no more. An adult who is barred has no say.
create view announcement_counting_answer as
  select given.*
  from announcement_answer given
  join announcement notice on notice.id = given.announcement_id
  join announcement_version own on own.announcement_id = given.announcement_id and own.number = given.version
  where given.version >= notice.counts_from and (given.version = notice.counts_from or not own.is_reading_reset)
    and (given.guardian_id is null or exists (select from student_guardian bond where bond.guardian_id = given.guardian_id
      and bond.student_id = given.student_id and bond.role <> 'Contact' and not bond.is_barred));
grant select on announcement_counting_answer to shala_app;

-- The answer for each child, to one text or to all that count: the latest of each guardian since the last one on paper. Of two
-- guardians who differ a consent is No, and a choice is none.
create function announcement_answers(announcement integer, text smallint)
returns table (student_id integer, answer text, differs boolean, is_on_paper boolean, at timestamptz) language sql stable as $$
  with given as (
    select id, student_id, guardian_id, answer, at from announcement_counting_answer
      where announcement_id = $1 and $2 is null
    union all select id, student_id, guardian_id, answer, at from announcement_answer
      where announcement_id = $1 and version = $2),
  paper as (select student_id, max(id) as id from given where guardian_id is null group by student_id),
  latest as (
    select distinct on (given.student_id, given.guardian_id) given.*
    from given left join paper on paper.student_id = given.student_id
    where given.id >= coalesce(paper.id, 0)
    order by given.student_id, given.guardian_id, given.id desc),
  said as (
    select student_id, count(distinct answer) > 1 as differs, min(answer) as answer,
      -- A guardian may answer after the paper.
      bool_or(guardian_id is null) as is_on_paper, max(at) as at
    from latest group by student_id)
  select said.student_id,
    case when not said.differs then said.answer when notice.asks = 'Consent' then 'No' else '' end,
    said.differs, said.is_on_paper, said.at
  from said join announcement notice on notice.id = $1
$$;

-- The last day whose people an announcement has: it ends with its expiry and its year, so that lists can be read later.
create function announcement_day(announcement integer, today date) returns date language sql stable as $$
  select least($2, (notice.expires_at at time zone 'Asia/Kolkata')::date,
    (select ends_on from academic_year where id = academic_year_on((notice.publish_at at time zone 'Asia/Kolkata')::date)))
  from announcement notice where notice.id = $1
$$;

-- An answer goes to another child or adult along a merge alone.
create trigger only_by_merge before update of student_id on announcement_answer for each row
  when (old.student_id is distinct from new.student_id) execute function student_only_by_merge('student_id');
create trigger guardian_only_by_merge before update of guardian_id on announcement_answer for each row
  when (old.guardian_id is not null and old.guardian_id is distinct from new.guardian_id)
  execute function guardian_only_by_merge();
