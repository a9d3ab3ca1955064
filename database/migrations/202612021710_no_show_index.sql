-- Registers and months look for the few who never joined their year.
create index student_enrollment_no_show on student_enrollment (academic_year_id) where cancelled_as = 'No-show';
