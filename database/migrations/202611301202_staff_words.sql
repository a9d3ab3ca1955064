-- The words of a name, as the names of students and adults are compared.
alter table staff add column words text[] not null generated always as (name_words(name)) stored;
create index staff_birth_date on staff (birth_date) where birth_date is not null;
