-- Of which children a guardian was asked: a grade that is added later asks about its children too.
alter table year_asking add column student_ids integer[] not null default '{}';
update year_asking sent set student_ids = coalesce((
  select array_agg(own.student_id order by own.student_id) from year_proposal own
  join year_asked_adult adult on adult.student_id = own.student_id and adult.guardian_id = sent.guardian_id
  where own.to_year_id = sent.to_year_id), '{}');
grant update (student_ids, sent_at) on year_asking to shala_app;
