-- The permission sets of teachers, heads of departments and assessors follow from the mapping of the day (decision 0069).
-- An Admin grants only the others.
update sign_in_account set sets = (
  select coalesce(array_agg(one), '{}') from unnest(sets) as one
  where one not in ('classTeacher', 'subjectTeacher', 'headOfDepartment', 'assessor'));
alter table sign_in_account drop constraint sign_in_account_sets_check;
alter table sign_in_account add constraint sign_in_account_sets_check check (sets <@ array[
  'office', 'admissionHead', 'accountant', 'financeApprover', 'transportIncharge', 'hr', 'principal', 'ticketAgent',
  'nurse', 'counsellor']);

-- The branches that an account's permission sets are limited to; none means every branch.
create table sign_in_account_branch (
  account_id  integer not null references sign_in_account,
  branch_id   integer not null references academic_branch,
  primary key (account_id, branch_id)
);
create index on sign_in_account_branch (branch_id);
grant select, insert, delete on sign_in_account_branch to shala_app;

