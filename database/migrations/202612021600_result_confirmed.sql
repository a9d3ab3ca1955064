-- A passed re-test leaves the child where the end of the year put it: the row keeps the word, and is applied as it is written.
alter table student_result_change
  drop constraint student_result_change_check,
  add constraint student_result_change_to_status check (to_status in ('Promoted', 'Detained')),
  add constraint student_result_change_differs check (to_status <> from_status or applied_at is not null);
