-- The office's review of a submitted form: verdicts, corrections asked for, notes, and answers to a family's messages.

alter table admission_inquiry rename column lost_reason to ended_reason;
alter table admission_inquiry
  drop constraint admission_inquiry_state_check,
  add constraint admission_inquiry_state_check check (state in ('New', 'Form sent', 'In progress', 'Submitted',
    'Under review', 'Correction requested', 'Verified', 'Rejected', 'Withdrawn', 'Lost')),
  add column reviewer_id integer references staff,
  -- The state to which reopening returns.
  add column ended_state text not null default '',
  -- The last submission, which a correction does not clear.
  add column received_at timestamptz,
  -- The pages that a correction has reopened, from 1 to 5; the family changes these alone.
  add column open_pages smallint[] not null default '{}' check (open_pages <@ '{1,2,3,4,5}');
update admission_inquiry set received_at = submitted_at;
alter table admission_inquiry
  add constraint admission_inquiry_open_pages check ((state = 'Correction requested') = (open_pages <> '{}')),
  add constraint admission_inquiry_reopened check (open_pages = '{}' or submitted_at is null);
-- The hash of the link's short form; null until the link is sent or shown once more.
alter table admission_inquiry add column short_hash bytea unique check (length(short_hash) = 32);
-- What the lists are searched in, as it was typed; names are also found by their key.
alter table admission_inquiry add column search_text text not null generated always as (lower(
  coalesce(first_name, '') || ' ' || coalesce(last_name, '') || ' ' || coalesce(father_mobile, '') || ' ' ||
  coalesce(mother_mobile, '') || ' ' || coalesce(father_email, '') || ' ' || coalesce(mother_email, ''))) stored;
create index on admission_inquiry using gin (search_text gin_trgm_ops) with (gin_pending_list_limit = 64);
create index on admission_inquiry (birth_date);
create index admission_inquiry_received on admission_inquiry (received_at, id) where received_at is not null;
create index on admission_inquiry (reviewer_id);

create table admission_verdict (
  inquiry_id  integer not null references admission_inquiry,
  section     text not null check (section in ('Child', 'Family', 'Health', 'Contacts', 'Languages')),
  result      text not null check (result in ('Accepted', 'Needs correction')),
  staff_id    integer not null references staff,
  decided_at  timestamptz not null,
  primary key (inquiry_id, section)
);
create index on admission_verdict (staff_id);

create table admission_document_verdict (
  document_id      integer primary key references admission_document on delete cascade,
  result           text not null check (result in ('Verified', 'Rejected')),
  is_original_seen boolean not null default false,
  remark           text not null default '' check (length(remark) <= 500),
  staff_id         integer not null references staff,
  decided_at       timestamptz not null,
  check (result = 'Verified' or remark <> '')
);
create index on admission_document_verdict (staff_id);

create table admission_correction (
  id            integer generated always as identity primary key,
  inquiry_id    integer not null references admission_inquiry,
  pages         smallint[] not null check (pages <> '{}' and pages <@ '{1,2,3,4,5}'),
  staff_id      integer not null references staff,
  requested_at  timestamptz not null,
  answered_at   timestamptz
);
create unique index admission_correction_one on admission_correction (inquiry_id) where answered_at is null;
create index on admission_correction (inquiry_id, id);
create index on admission_correction (staff_id);

-- The office's words about an answer or a document; those of a requested correction stand in the family's form.
create table admission_remark (
  id             integer generated always as identity primary key,
  inquiry_id     integer not null references admission_inquiry,
  section        text not null check (section in ('Child', 'Family', 'Health', 'Contacts', 'Languages', 'Documents')),
  -- The field of the form or the name of the document; '' for the whole section.
  field          text not null check (length(field) <= 60),
  remark         text not null check (length(remark) between 1 and 500),
  correction_id  integer references admission_correction
);
create unique index admission_remark_one on admission_remark (inquiry_id, section, field) where correction_id is null;
create index on admission_remark (correction_id);

-- Never shown to the family.
create table admission_note (
  id          integer generated always as identity primary key,
  inquiry_id  integer not null references admission_inquiry,
  note        text not null check (length(note) between 1 and 2000),
  staff_id    integer not null references staff,
  written_at  timestamptz not null
);
create index on admission_note (inquiry_id, id);
create index on admission_note (staff_id);

alter table admission_message
  add column read_at timestamptz,
  add column read_by integer references staff,
  -- Encrypted, as the message is.
  add column reply bytea,
  add column replied_at timestamptz,
  add column replied_by integer references staff,
  add constraint admission_message_replied check ((reply is null) = (replied_at is null));
create index on admission_message (read_by);
create index on admission_message (replied_by);
create index admission_message_unread on admission_message (inquiry_id) where read_at is null;

alter table admission_document_waiver add column staff_id integer references staff, add column waived_at timestamptz;
create index on admission_document_waiver (staff_id);

grant select, insert, update on admission_verdict, admission_document_verdict, admission_correction, admission_remark
  to shala_app;
grant update on admission_document_waiver to shala_app;
grant delete on admission_verdict, admission_document_verdict, admission_remark, admission_document_waiver to shala_app;
grant select, insert on admission_note to shala_app;
grant update on admission_message to shala_app;
