-- What shows how far a child has come with a skill (areas.md N3). The records that give evidence, an observation or a piece
-- of homework, come with their areas, and each adds a column here which points to it.
create table student_skill_evidence (
  id                integer generated always as identity primary key,
  enrollment_id     integer not null,
  student_id        integer not null,
  academic_year_id  integer not null,
  branch_id         integer not null,
  program_id        integer not null,
  grade_id          integer not null,
  skill_id          integer not null references configuration_skill,
  skill_level_id    integer not null references configuration_skill_level,
  noted_on          date not null,
  constraint student_skill_evidence_of_enrollment
    foreign key (enrollment_id, student_id, academic_year_id, branch_id, program_id, grade_id)
    references student_enrollment (id, student_id, academic_year_id, branch_id, program_id, grade_id)
);
create index on student_skill_evidence (enrollment_id, skill_id);
create index on student_skill_evidence (skill_id);
create index on student_skill_evidence (skill_level_id);
create trigger closed_year before insert or update or delete on student_skill_evidence
  for each row execute function academic_refuse_closed_year();

-- A skill is for the child's stage; what was noted before its stages were narrowed stays.
create function student_keep_skill_stage() returns trigger language plpgsql as $$
begin
  perform 1 from configuration_skill skill join academic_grade grade on grade.stage = any (skill.stages)
    where skill.id = new.skill_id and grade.id = new.grade_id for share of skill;
  if not found then
    raise exception 'this skill is for other stages' using errcode = '23514', constraint = 'student_skill_evidence_stage';
  end if;
  return null;
end $$;
create trigger stage after insert or update of skill_id, grade_id on student_skill_evidence
  for each row execute function student_keep_skill_stage();

grant select, insert, update, delete on student_skill_evidence to shala_app;
