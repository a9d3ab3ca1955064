-- The rule of marks as it was, for statements with a month of marks too: children are found by key however many there are, and
-- one placement that covers the first and the last day of a child in a section is looked up once for all days between.
create or replace function attendance_keep_marks() returns trigger language plpgsql set enable_seqscan = off as $$
declare
  refused text;
  all_placed boolean;
  all_open boolean;
begin
  if tg_op = 'INSERT' then
    -- A transfer of one of these children waits, or is seen.
    perform 1 from student_enrollment enrollment
      where enrollment.student_id = any (array(select distinct student_id from changed))
        and enrollment.academic_year_id = any (array(select distinct academic_year_id from changed))
      order by enrollment.id for no key update;
    select bool_and(exists (
        select from student_section own
        join student_enrollment enrollment on enrollment.id = own.enrollment_id and enrollment.status <> 'Cancelled'
        where own.section_id = span.section_id and own.student_id = span.student_id
          and own.effective_from <= span.first and coalesce(own.effective_to, 'infinity') >= span.last)),
      bool_and(span.is_open)
    into all_placed, all_open
    from (
      select register.section_id, mark.student_id, min(mark.day) as first, max(mark.day) as last,
        bool_and(now() < register.locks_at or register.created_at = now()) as is_open
      from changed mark join attendance_register register on register.id = mark.register_id
      group by register.section_id, mark.student_id) as span;
    if not all_placed and exists (
        select from changed mark
        join attendance_register register on register.id = mark.register_id
        where not exists (
          select from student_section own
          join student_enrollment enrollment on enrollment.id = own.enrollment_id and enrollment.status <> 'Cancelled'
          where own.section_id = register.section_id and own.student_id = mark.student_id
            and mark.day between own.effective_from and coalesce(own.effective_to, 'infinity'))) then
      refused := 'attendance_mark_placed';
    elsif exists (
        select from changed mark
        join attendance_mark other on other.academic_year_id = mark.academic_year_id and other.student_id = mark.student_id
          and other.day = mark.day and other.half <> mark.half
        join attendance_register whole on whole.id in (mark.register_id, other.register_id) and whole.slot = 'Full day') then
      refused := 'attendance_mark_once';
    elsif not all_open and exists (
        select from changed mark
        join attendance_register register on register.id = mark.register_id
        where now() >= register.locks_at and register.created_at <> now() and not exists (
          select from attendance_correction correction
          where correction.register_id = mark.register_id and correction.student_id = mark.student_id
            and correction.new_code_id = mark.code_id and correction.applied_at = now())) then
      refused := 'attendance_mark_locked';
    end if;
  elsif exists (
      select from changed mark
      join before earlier on earlier.register_id = mark.register_id and earlier.student_id = mark.student_id
      join attendance_register register on register.id = mark.register_id
      where (earlier.code_id, earlier.arrived_at) is distinct from (mark.code_id, mark.arrived_at)
        and now() >= register.locks_at and register.created_at <> now() and not exists (
          select from attendance_correction correction
          where correction.register_id = mark.register_id and correction.student_id = mark.student_id
            and correction.new_code_id = mark.code_id and correction.applied_at = now())) then
    refused := 'attendance_mark_locked';
  end if;
  if refused is not null then
    raise exception 'a mark is refused: %', refused using errcode = '23514', constraint = refused;
  end if;
  return null;
end $$;
