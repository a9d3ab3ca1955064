-- A child has one standing enrolment on a day (student_enrollment_overlap), so a join counts each mark once, as `exists` did.
-- A join may be made by hash: of a year of 5,000 children `exists` looked up the enrolment of each of 900,000 marks. Register
-- and mark are joined by the whole foreign key, so that the planner knows that each mark has one register.
create or replace view attendance_counted as
  select mark.academic_year_id, mark.student_id, register.branch_id, register.grade_id, register.section_id, mark.day, mark.half,
    code.kind, register.weight * 2 as share, register.weight * code.value as worth, mark.register_id
  from attendance_mark mark
  join attendance_register register on register.id = mark.register_id and register.academic_year_id = mark.academic_year_id
    and register.day = mark.day and register.half = mark.half
  join attendance_code code on code.id = mark.code_id
  join student_enrollment enrollment on enrollment.student_id = mark.student_id
    and enrollment.academic_year_id = mark.academic_year_id and enrollment.status <> 'Cancelled'
    and mark.day between enrollment.joined_on and coalesce(enrollment.left_on, 'infinity')
  where register.weight > 0 and code.counts_in_total;
