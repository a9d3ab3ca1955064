-- What an enrolment had when its child never joined, for the day on which that turns out to be a mistake: its sections, and
-- what the other features keep.
alter table student_enrollment add column never_joined jsonb;
