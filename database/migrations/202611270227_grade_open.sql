-- A grade is open for admission while a row of the seat plan is; the tick of the year says nothing more.
alter table academic_year drop column is_admission_open;
