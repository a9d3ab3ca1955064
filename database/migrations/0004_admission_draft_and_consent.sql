-- What a parent has typed and not saved yet, the consent that stands before the form, and words to the school.

-- One draft a page (or a form on a page). Answers are encrypted and unvalidated.
create table admission_draft (
  inquiry_id  integer not null references admission_inquiry,
  page        text not null check (page in ('basic-info', 'parent-info', 'education-history', 'health',
                                            'additional-info', 'documents', 'language')),
  -- Counts up with every change, over all devices; what comes with an older one is dropped.
  number      integer not null check (number > 0),
  -- The visit that wrote it: one page load of one device. Empty once the page itself was saved.
  visit       text not null check (length(visit) <= 40),
  -- Null once the page itself was saved.
  answers     bytea,
  saved_at    timestamptz not null default now(),
  primary key (inquiry_id, page)
);
grant select, insert, update, delete on admission_draft to shala_app;

alter table academic_school
  -- Whether a parent is asked for consent before the form where the inquiry has none recorded (decision 12).
  add column asks_consent boolean not null default true,
  -- Month and day of the academic year's first calendar year on which a child's age counts (Gujarat: 1 June).
  add column age_counts_on text not null default '06-01' check (age_counts_on ~ '^(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$');

-- Years a child should have completed on that day; null where nothing is usual.
alter table academic_grade add column age_years smallint check (age_years between 2 and 25);
update academic_grade set age_years = case name when 'Nursery' then 3 when 'LKG' then 4 when 'UKG' then 5 end
  where name in ('Nursery', 'LKG', 'UKG');
update academic_grade set age_years = 5 + substring(name from 7)::integer where name ~ '^Grade ([1-9]|1[0-2])$';

-- Who agreed to which words, when, in which language (I7). Withdrawing ends a row; agreeing again makes another.
create table admission_consent (
  id              integer generated always as identity primary key,
  inquiry_id      integer not null references admission_inquiry,
  notice_version  text not null check (notice_version <> ''),
  language        text not null check (language in ('en', 'hi', 'gu')),
  name            text not null check (length(name) between 1 and 100),
  relation        text not null check (relation in ('Father', 'Mother', 'Guardian')),
  -- Of the link it was given with; null where the office recorded it.
  link_version    integer,
  address         inet,
  recorded_by     text not null check (recorded_by <> ''),
  given_at        timestamptz not null default now(),
  withdrawn_at    timestamptz check (withdrawn_at >= given_at)
);
create unique index admission_consent_one on admission_consent (inquiry_id) where withdrawn_at is null;
grant select, insert, update on admission_consent to shala_app;

-- What a family writes to the school about its form. Encrypted, since it may say anything.
create table admission_message (
  id          integer generated always as identity primary key,
  inquiry_id  integer not null references admission_inquiry,
  about       text not null check (length(about) between 1 and 100),
  text        bytea not null,
  sent_at     timestamptz not null default now()
);
create index on admission_message (inquiry_id, id);
grant select, insert on admission_message to shala_app;
