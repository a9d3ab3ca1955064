-- Each act of promoting a grade, and the paper of it that the school keeps (areas.md K4).
create table academic_promotion (
  id                integer generated always as identity primary key,
  academic_year_id  integer not null references academic_year,
  to_year_id        integer not null references academic_year check (to_year_id <> academic_year_id),
  grade_id          integer not null references academic_grade,
  -- The grade it led to then; none where the children left the school.
  to_grade_id       integer references academic_grade,
  made_at           timestamptz not null,
  made_by           text not null check (length(made_by) between 1 and 200),
  -- The promotion list as it was when somebody first opened it.
  list_id           uuid references file
);
create index on academic_promotion (academic_year_id, grade_id);
create index on academic_promotion (to_year_id);
create index on academic_promotion (grade_id);
create index on academic_promotion (to_grade_id);
create index on academic_promotion (list_id) where list_id is not null;

-- The act that ended an enrollment.
alter table student_enrollment add column promotion_id integer references academic_promotion;
create index on student_enrollment (promotion_id) where promotion_id is not null;

grant select, insert on academic_promotion to shala_app;
grant update (list_id) on academic_promotion to shala_app;
