-- The students who join later are found by it.
create index on student_enrollment (joined_on);
