-- Who works here and how they sign in: accounts, sessions, one-time codes (architecture.md decisions 1 to 3, security.md A).

create table staff (
  id          integer generated always as identity primary key,
  name        text not null check (length(name) between 1 and 100),
  email       text unique check (email = lower(email) and length(email) between 3 and 100),
  mobile      text unique check (mobile ~ '^[0-9]{10}$'),
  picture_id  uuid references file,
  version     integer not null default 1,
  created_at  timestamptz not null default now()
);
create index on staff (picture_id);
grant select, insert, update on staff to shala_app;

-- What its holder may be: Admin by password, Staff by a one-time code or Google. The session takes one of the two.
create table sign_in_account (
  id               integer generated always as identity primary key,
  staff_id         integer not null unique references staff,
  user_name        text unique check (user_name = lower(user_name) and length(user_name) between 3 and 50),
  password_hash    text check (password_hash like '$argon2id$%'),
  password_set_at  timestamptz,
  is_admin         boolean not null default false,
  is_staff         boolean not null default false,
  sets             text[] not null default '{}' check (sets <@ array[
    'office', 'admissionHead', 'accountant', 'financeApprover', 'transportIncharge', 'hr', 'principal', 'ticketAgent',
    'nurse', 'counsellor', 'classTeacher', 'subjectTeacher', 'headOfDepartment', 'assessor']),
  is_active        boolean not null default true,
  google_subject   text unique,
  version          integer not null default 1,
  created_at       timestamptz not null default now(),
  check (is_admin or is_staff),
  check ((password_hash is null) = (password_set_at is null)),
  check (password_hash is null or user_name is not null)
);
grant select, insert, update on sign_in_account to shala_app;

-- Its id is the SHA-256 of what the browser's cookie holds; `number` names it in lists and in the audit.
create table sign_in_session (
  id             bytea primary key check (length(id) = 32),
  number         integer generated always as identity unique,
  account_id     integer not null references sign_in_account,
  role           text not null check (role in ('Staff', 'Admin')),
  method         text not null check (method in ('UserNameNPassword', 'Email', 'Mobile', 'Google')),
  is_remembered  boolean not null default false,
  device         text not null check (length(device) <= 200),
  address        inet not null,
  began_at       timestamptz not null default now(),
  seen_at        timestamptz not null default now(),
  confirmed_at   timestamptz not null default now(),
  check (not (is_remembered and role = 'Admin'))
);
create index on sign_in_session (account_id);
grant select, insert, update, delete on sign_in_session to shala_app;

-- A code is made of this row's salt and the code key whenever it is needed, so that it is nowhere kept (decision 3). One that
-- nobody may use (unknown address, wrong role) has a row without an account.
create table sign_in_code (
  id          integer generated always as identity primary key,
  challenge   bytea not null unique check (length(challenge) = 32),
  method      text not null check (method in ('Email', 'Mobile')),
  target      text not null check (length(target) <= 100),
  account_id  integer references sign_in_account,
  salt        bytea not null check (length(salt) = 16),
  tries       smallint not null default 0 check (tries between 0 and 5),
  made_at     timestamptz not null default now(),
  expires_at  timestamptz not null,
  used_at     timestamptz
);
create index on sign_in_code (method, target);
create index on sign_in_code (account_id);
create index on sign_in_code (expires_at);
grant select, insert, update, delete on sign_in_code to shala_app;

-- A link to choose a new password; its token is made as a code is.
create table sign_in_reset (
  id          integer generated always as identity primary key,
  account_id  integer not null references sign_in_account,
  salt        bytea not null check (length(salt) = 16),
  made_at     timestamptz not null default now(),
  expires_at  timestamptz not null,
  used_at     timestamptz
);
create index on sign_in_reset (account_id);
grant select, insert, update, delete on sign_in_reset to shala_app;

-- Browsers somebody has signed in with: a stranger's wrong passwords do not keep them out (A13).
create table sign_in_device (
  id          bytea primary key check (length(id) = 32),
  account_id  integer not null references sign_in_account,
  used_at     timestamptz not null default now()
);
create index on sign_in_device (account_id);
grant select, insert, update, delete on sign_in_device to shala_app;

-- Somebody asks for an account; only an Admin's approval makes one (A16).
create table sign_in_request (
  id          integer generated always as identity primary key,
  name        text not null check (length(name) between 1 and 100),
  email       text not null check (email = lower(email) and length(email) between 3 and 100),
  mobile      text not null check (mobile ~ '^[0-9]{10}$'),
  reason      text not null check (length(reason) between 1 and 500),
  status      text not null default 'pending' check (status in ('pending', 'approved', 'declined')),
  asked_at    timestamptz not null default now(),
  decided_by  integer references sign_in_account,
  decided_at  timestamptz,
  check ((status = 'pending') = (decided_at is null))
);
create unique index on sign_in_request (email) where status = 'pending';
create index on sign_in_request (decided_by);
grant select, insert, update on sign_in_request to shala_app;

-- After so many failures the next try has to wait.
alter table attempt add column not_before timestamptz;

-- Who did it, by account, role and session, and whether it was done or refused (H2).
alter table audit
  add column account_id  integer references sign_in_account,
  add column role        text check (role in ('Staff', 'Admin')),
  add column session     integer,
  add column result      text not null default 'done' check (result in ('done', 'refused'));
create index on audit (account_id, id);
create index on audit (at);

-- The audit's rows in the order they were sealed, each seal made with the code key of the row and the seal before it (H4).
create table audit_seal (
  number    bigint primary key check (number > 0),
  audit_id  bigint not null unique references audit,
  key_id    text not null,
  seal      bytea not null check (length(seal) = 32)
);
grant select, insert on audit_seal to shala_app;
