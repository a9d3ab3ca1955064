-- Grows with each submission and with each change of the child's or the parents' names, birth date and gender by the office:
-- a verdict names the answers that it was made on.
alter table admission_inquiry add column answers_version integer not null default 1;

create function count_answers_version() returns trigger language plpgsql as $$
begin
  new.answers_version := old.answers_version + 1;
  return new;
end $$;
create trigger count_answers_version before update on admission_inquiry for each row
  when (new.received_at is distinct from old.received_at
    or (new.first_name, new.last_name, new.gender, new.birth_date, new.father_first_name, new.father_last_name,
      new.mother_first_name, new.mother_last_name) is distinct from
      (old.first_name, old.last_name, old.gender, old.birth_date, old.father_first_name, old.father_last_name,
      old.mother_first_name, old.mother_last_name))
  execute function count_answers_version();
