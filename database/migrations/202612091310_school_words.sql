-- What the school wrote in English and families read in their language: office hours, and what parents agree to in an
-- emergency. The English it was translated from is kept: once the school changes it, families read the new English.

create table academic_school_words (
  id                integer generated always as identity primary key,
  language          text not null unique check (length(language) between 2 and 8 and language <> 'en'),
  hours             text not null check (length(hours) <= 100),
  hours_of          text not null check (length(hours_of) <= 100),
  hospital_text     text not null check (length(hospital_text) <= 1000),
  hospital_text_of  text not null check (length(hospital_text_of) <= 1000),
  version           integer not null default 1
);

grant select, insert, update on academic_school_words to shala_app;
