-- The family details in a brother's or sister's form, which the family may take over after a code.

alter table admission_inquiry
  -- Linked by the office.
  add column sibling_inquiry_id integer references admission_inquiry check (sibling_inquiry_id <> id),
  add column sibling_used_at timestamptz;
create index on admission_inquiry (sibling_inquiry_id);

create table admission_sibling_code (
  id         integer generated always as identity primary key,
  inquiry_id integer not null references admission_inquiry,
  parent     text not null check (parent in ('father', 'mother')),
  salt       bytea not null check (length(salt) = 16),
  expires_at timestamptz not null,
  used_at    timestamptz
);
create index on admission_sibling_code (inquiry_id);
grant select, insert, update, delete on admission_sibling_code to shala_app;
