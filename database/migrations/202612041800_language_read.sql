-- The texts of an area of the product that the school has read in a language: who, when, and which texts they were.
create table language_read (
  id        integer generated always as identity primary key,
  language  text not null check (language ~ '^[a-z]{2,3}$'),
  area      text not null check (area in ('form', 'family', 'message')),
  -- A key of each text with its translation, as it was when it was read.
  words     text[] not null,
  read_by   integer not null references staff,
  read_at   timestamptz not null default school_now(),
  unique (language, area)
);
create index on language_read (read_by);
grant select, insert, update, delete on language_read to shala_app;
