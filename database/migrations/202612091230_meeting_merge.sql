-- A booked time goes from one student to another along a merge alone.
create trigger only_by_merge before update of student_id on meeting_slot for each row
  when (old.student_id is not null and new.student_id is not null and old.student_id <> new.student_id)
  execute function student_only_by_merge('student_id');
