-- Which electives a student has chosen (areas.md N1), and what records are tagged with (N2).

-- A choice points to an elective, never to what all children of the grade learn.
alter table configuration_grade_subject
  add constraint configuration_grade_subject_elective
    unique (academic_year_id, program_id, grade_id, subject_id, is_compulsory);

create table student_subject (
  id                integer generated always as identity primary key,
  enrollment_id     integer not null,
  student_id        integer not null,
  academic_year_id  integer not null,
  branch_id         integer not null,
  program_id        integer not null,
  grade_id          integer not null,
  subject_id        integer not null,
  is_compulsory     boolean not null default false check (not is_compulsory),
  constraint student_subject_unique unique (enrollment_id, subject_id),
  constraint student_subject_of_enrollment
    foreign key (enrollment_id, student_id, academic_year_id, branch_id, program_id, grade_id)
    references student_enrollment (id, student_id, academic_year_id, branch_id, program_id, grade_id),
  constraint student_subject_is_elective
    foreign key (academic_year_id, program_id, grade_id, subject_id, is_compulsory)
    references configuration_grade_subject (academic_year_id, program_id, grade_id, subject_id, is_compulsory)
);
create index on student_subject (academic_year_id, program_id, grade_id, subject_id);
create trigger closed_year before insert or update or delete on student_subject
  for each row execute function academic_refuse_closed_year();

-- Whether somebody has chosen more of a group than it allows: an enrollment, or anybody of a group.
create function student_has_too_many(of_enrollment integer, of_group integer) returns boolean language sql as $$
  select exists (
    select 1 from student_subject own
    join configuration_grade_subject taken on taken.academic_year_id = own.academic_year_id
      and taken.program_id = own.program_id and taken.grade_id = own.grade_id and taken.subject_id = own.subject_id
    join configuration_elective_group choice on choice.id = taken.elective_group_id
    where own.enrollment_id = coalesce(of_enrollment, own.enrollment_id) and choice.id = coalesce(of_group, choice.id)
    group by own.enrollment_id, choice.id
    having count(*) > max(choice.max_choices))
$$;

-- Nobody chooses more of a group than it allows, whichever of the three is changed: what is chosen, the group a subject is
-- in, or how many the group allows. Each holds what the others would change, so that one waits for the other.
create function student_keep_choices() returns trigger language plpgsql as $$
begin
  perform 1 from student_enrollment where id = new.enrollment_id for no key update;
  perform 1 from configuration_grade_subject taken
    join student_subject own on taken.academic_year_id = own.academic_year_id and taken.program_id = own.program_id
      and taken.grade_id = own.grade_id and taken.subject_id = own.subject_id
    where own.enrollment_id = new.enrollment_id order by taken.id for share of taken;
  perform 1 from configuration_elective_group where id in (
      select taken.elective_group_id from configuration_grade_subject taken
      join student_subject own on taken.academic_year_id = own.academic_year_id and taken.program_id = own.program_id
        and taken.grade_id = own.grade_id and taken.subject_id = own.subject_id
      where own.enrollment_id = new.enrollment_id)
    order by id for share;
  if student_has_too_many(new.enrollment_id, null) then
    raise exception 'more electives than the group allows' using errcode = '23514', constraint = 'student_subject_most';
  end if;
  return null;
end $$;
create trigger choices after insert or update on student_subject
  for each row execute function student_keep_choices();

create function configuration_keep_choices() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'configuration_grade_subject' then
    perform 1 from configuration_elective_group where id = new.elective_group_id for share;
    if student_has_too_many(null, new.elective_group_id) then
      raise exception 'more electives than the group allows' using errcode = '23514', constraint = 'student_subject_most';
    end if;
  elsif student_has_too_many(null, new.id) then
    raise exception 'more electives are chosen' using errcode = '23514', constraint = 'configuration_elective_group_chosen';
  end if;
  return null;
end $$;
create trigger choices after update of elective_group_id on configuration_grade_subject
  for each row when (new.elective_group_id is not null and new.elective_group_id is distinct from old.elective_group_id)
  execute function configuration_keep_choices();
create trigger choices after update of max_choices on configuration_elective_group
  for each row when (new.max_choices < old.max_choices) execute function configuration_keep_choices();

-- What is tagged. Of each kind of record that carries tags there is a column which points to it, so that no link leads
-- to nothing; a further kind adds its own, and its word to the check.
create table tag_link (
  id           integer generated always as identity primary key,
  tag_id       integer not null references configuration_tag,
  entity_type  text not null check (entity_type in ('Student')),
  entity_id    integer not null,
  student_id   integer generated always as (case entity_type when 'Student' then entity_id end) stored
               references student,
  constraint tag_link_unique unique (tag_id, entity_type, entity_id)
);
create index on tag_link (entity_type, entity_id);
create index on tag_link (student_id);

-- A tag is given to what it is for; what had it before its use was narrowed keeps it.
create function configuration_keep_tag_scope() returns trigger language plpgsql as $$
begin
  perform 1 from configuration_tag where id = new.tag_id and new.entity_type = any (scopes) for share;
  if not found then
    raise exception 'this tag is for other records' using errcode = '23514', constraint = 'tag_link_scope';
  end if;
  return null;
end $$;
create trigger scope after insert or update on tag_link
  for each row execute function configuration_keep_tag_scope();

-- What a tag was called that was merged into another one. It goes with the tag it leads to, and with its group.
create table configuration_tag_alias (
  id            integer generated always as identity primary key,
  tag_id        integer not null references configuration_tag on delete cascade,
  tag_group_id  integer not null references configuration_tag_group on delete cascade,
  name          text not null check (length(name) between 1 and 30)
);
create unique index configuration_tag_alias_name_unique on configuration_tag_alias (tag_group_id, lower(name));
create index on configuration_tag_alias (tag_id);

-- A name that a tag has leads to that tag, and to no other one any more.
create function configuration_free_tag_name() returns trigger language plpgsql as $$
begin
  delete from configuration_tag_alias where tag_group_id = new.tag_group_id and lower(name) = lower(new.name);
  return null;
end $$;
create trigger own_name after insert or update of name, tag_group_id on configuration_tag
  for each row execute function configuration_free_tag_name();

grant select, insert, update, delete on student_subject, tag_link, configuration_tag_alias to shala_app;
