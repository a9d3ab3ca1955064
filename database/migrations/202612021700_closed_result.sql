-- A result of a closed year is corrected in the student's record.
create or replace function academic_closed_way(of_table text) returns text language sql immutable as $$
  select case when $1 = 'attendance_mark' then 'correction' when $1 = 'student_result' then 'result'
    when $1 like 'fee\_%' then 'money' when $1 = 'observation_note' then 'none' else 'reopen' end
$$;
