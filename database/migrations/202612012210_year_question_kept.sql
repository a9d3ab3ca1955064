-- A year about which families were asked is not deleted with their answers.
alter table year_question drop constraint year_question_to_year_id_fkey,
  add constraint year_question_to_year_id_fkey foreign key (to_year_id) references academic_year;
