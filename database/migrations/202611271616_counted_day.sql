-- A mark has the day of its register; said in the view, a section and a day find the register by its index.
create or replace view attendance_counted as
  select mark.academic_year_id, mark.student_id, register.branch_id, register.grade_id, register.section_id, mark.day, mark.half,
    code.kind, register.weight * 2 as share, register.weight * code.value as worth, mark.register_id
  from attendance_mark mark
  join attendance_register register on register.id = mark.register_id and register.day = mark.day
  join attendance_code code on code.id = mark.code_id
  where register.weight > 0 and code.counts_in_total and exists (
    select from student_enrollment enrollment
    where enrollment.student_id = mark.student_id and enrollment.academic_year_id = mark.academic_year_id
      and enrollment.status <> 'Cancelled'
      and mark.day between enrollment.joined_on and coalesce(enrollment.left_on, 'infinity'));
