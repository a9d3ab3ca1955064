-- A promotion can be undone as a whole: which leavings it made, and when it was undone.

alter table academic_promotion
  add column undone_at timestamptz,
  add column undone_by text check (length(undone_by) between 1 and 200),
  add constraint academic_promotion_undone check ((undone_at is null) = (undone_by is null));
grant update (undone_at, undone_by) on academic_promotion to shala_app;

alter table student_leaving add column promotion_id integer references academic_promotion;
create index on student_leaving (promotion_id) where promotion_id is not null;
update student_leaving leaving set promotion_id = enrollment.promotion_id
  from student_enrollment enrollment
  where enrollment.id = leaving.enrollment_id and enrollment.promotion_id is not null and enrollment.status = 'Left'
    and leaving.undone_at is null and leaving.readmitted_on is null and leaving.last_day = enrollment.left_on;
