-- An import names the rows that it wrote by their id, so that it can be undone.
alter table student_result add column id integer generated always as identity unique;

-- A turn is kept before its run, whose rows are the children of the turn.
alter table academic_turn alter column run_id drop not null;
grant update (run_id) on academic_turn to shala_app;
