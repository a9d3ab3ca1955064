-- The names of adults and staff are compared as those of students are.
alter table guardian
  add column first_words text[] not null generated always as (name_words(first_name)) stored,
  add column last_words text[] not null generated always as (name_words(last_name)) stored;
create index guardian_first_word on guardian ((first_words[1]));
