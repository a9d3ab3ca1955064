-- A guardian changes the own number or address on a proven phone: a code to the new one confirms it.
alter table family_code
  add column purpose text not null default 'Prove' check (purpose in ('Prove', 'Contact')),
  drop constraint family_code_guardian_id_key,
  add unique (guardian_id, purpose);

create table guardian_contact_change (
  id           integer generated always as identity primary key,
  guardian_id  integer not null references guardian,
  channel      text not null check (channel in ('sms', 'email')),
  -- '' where the guardian had none.
  old_value    text not null check (length(old_value) <= 100),
  new_value    text not null check (new_value <> '' and length(new_value) <= 100),
  -- A code to the old one and one to the new one; or, where the old one is lost, one to the new one and a paper for the office.
  proof        text not null check (proof in ('Both codes', 'Paper')),
  paper_id     uuid references file,
  state        text not null check (state in ('Applied', 'Asked', 'Rejected', 'Stale', 'Undone')),
  made_at      timestamptz not null,
  version      integer not null default 1,
  check (new_value <> old_value),
  check (state <> 'Asked' or proof = 'Paper')
);
create index on guardian_contact_change (guardian_id, id desc);
create index on guardian_contact_change (paper_id);
create unique index guardian_contact_change_asked on guardian_contact_change (guardian_id) where state = 'Asked';
grant select, insert, update (state, paper_id, made_at, version) on guardian_contact_change to shala_app;

alter table approval add column guardian_contact_change_id integer references guardian_contact_change;
create unique index approval_contact_change on approval (guardian_contact_change_id) where status = 'Pending';
create index on approval (guardian_contact_change_id);
-- The kinds of other features stay as they are.
do $$
declare
  known text;
begin
  select substr(pg_get_constraintdef(oid), 7) into known from pg_constraint
    where conrelid = 'approval'::regclass and conname = 'approval_kind';
  alter table approval drop constraint approval_kind;
  execute 'alter table approval add constraint approval_kind check (' || known
    || $kinds$ or kind = 'family.contact')$kinds$;
end $$;
alter table approval add constraint approval_subject_contact
  check ((kind = 'family.contact') = (guardian_contact_change_id is not null));
