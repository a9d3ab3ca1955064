-- A file of several records, and room in a student's record for what an admission form may say.

-- Deletes a file unless another row still refers to it; returns whether it did.
create function file_remove(file_id uuid) returns boolean language plpgsql as $$
begin
  delete from file where id = file_id;
  return true;
exception when foreign_key_violation then
  return false;
end $$;

alter table student_address
  drop constraint student_address_current_city_check,
  drop constraint student_address_current_state_check,
  drop constraint student_address_current_country_check,
  drop constraint student_address_permanent_city_check,
  drop constraint student_address_permanent_state_check,
  drop constraint student_address_permanent_country_check,
  add constraint student_address_current_city_check check (length(current_city) <= 100),
  add constraint student_address_current_state_check check (length(current_state) <= 100),
  add constraint student_address_current_country_check check (length(current_country) <= 100),
  add constraint student_address_permanent_city_check check (length(permanent_city) <= 100),
  add constraint student_address_permanent_state_check check (length(permanent_state) <= 100),
  add constraint student_address_permanent_country_check check (length(permanent_country) <= 100);

alter table student_schooling
  drop constraint student_schooling_from_class_check,
  drop constraint student_schooling_to_class_check,
  drop constraint student_schooling_board_check,
  drop constraint student_schooling_school_check,
  drop constraint student_schooling_city_check,
  add constraint student_schooling_from_class_check check (length(from_class) <= 50),
  add constraint student_schooling_to_class_check check (length(to_class) <= 50),
  add constraint student_schooling_board_check check (length(board) <= 100),
  add constraint student_schooling_school_check check (length(school) between 1 and 300),
  add constraint student_schooling_city_check check (length(city) <= 100);
