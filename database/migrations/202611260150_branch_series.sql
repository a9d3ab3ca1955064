-- A branch may number its records by a series of its own.

alter table number_series add column branch_id integer references academic_branch;
alter table number_series drop constraint number_series_code_key;
create unique index number_series_code_unique on number_series (code, coalesce(branch_id, 0));
create index on number_series (branch_id);
grant insert on number_series to shala_app;
