create table club (
  id         integer generated always as identity primary key,
  name       text not null check (length(name) between 1 and 60),
  is_active  boolean not null default true,
  head_id    integer references staff,
  version    integer not null default 1
);
create unique index club_name_unique on club (lower(name));
grant select, insert, update, delete on club to shala_app;

create index on club (head_id);

alter table approval add column club_id integer references club;
create unique index approval_club on approval (club_id) where status = 'Pending';
create index on approval (club_id);
do $$
declare
  known text;
begin
  select substr(pg_get_constraintdef(oid), 7) into known from pg_constraint
    where conrelid = 'approval'::regclass and conname = 'approval_kind';
  alter table approval drop constraint approval_kind;
  execute 'alter table approval add constraint approval_kind check (' || known || $kinds$ or kind = 'club.open')$kinds$;
end $$;
alter table approval add constraint approval_subject_club check ((kind = 'club.open') = (club_id is not null));

create table club_meeting (
  id    integer generated always as identity primary key,
  name  text not null check (length(name) between 1 and 60)
);
create index on club_meeting (lower(name), id);
grant select on club_meeting to shala_app;

create table club_member (
  club_id     integer not null references club,
  student_id  integer not null references student,
  joined_at   timestamptz not null default school_now(),
  primary key (club_id, student_id)
);
create index on club_member (student_id);
grant select, insert, update, delete on club_member to shala_app;
