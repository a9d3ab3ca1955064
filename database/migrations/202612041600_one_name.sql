-- A child whose papers carry one name has no last name; a sign in its place, as offices enter it, says the same.
alter table student drop constraint student_last_name_check;
update student set last_name = '' where last_name ~ '^[[:space:]./_–—-]+$';
alter table student add constraint student_last_name_check
  check (length(last_name) <= 50 and last_name !~ '^[[:space:]./_–—-]+$');
alter table student alter column name set expression as
  (rtrim(first_name || ' ' || case when middle_name = '' then '' else middle_name || ' ' end || last_name));
alter table student alter column sort_name set expression as
  (rtrim(lower(first_name || ' ' || middle_name || ' ' || last_name)));
