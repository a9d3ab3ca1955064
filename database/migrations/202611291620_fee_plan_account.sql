-- The list of plans asks for the plans of each student's account and year, also those that were left.
create index on fee_plan (account_id, academic_year_id);
