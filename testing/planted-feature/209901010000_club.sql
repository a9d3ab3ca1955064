create table club (
  id         integer generated always as identity primary key,
  name       text not null check (length(name) between 1 and 60),
  is_active  boolean not null default true,
  version    integer not null default 1
);
create unique index club_name_unique on club (lower(name));
grant select, insert, update, delete on club to shala_app;

create table club_meeting (
  id    integer generated always as identity primary key,
  name  text not null check (length(name) between 1 and 60)
);
create index on club_meeting (lower(name), id);
grant select on club_meeting to shala_app;
