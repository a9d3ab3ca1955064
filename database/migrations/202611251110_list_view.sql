-- A list's filters, sort and columns under a name: the owner's alone, or shared by an Admin with everyone who has the list.
create table list_view (
  id         integer generated always as identity primary key,
  list       text not null check (length(list) between 1 and 60),
  name       text not null check (length(name) between 1 and 60),
  staff_id   integer not null references staff,
  is_shared  boolean not null default false,
  address    jsonb not null check (jsonb_typeof(address) = 'object' and length(address::text) <= 8000),
  columns    text[] not null default '{}' check (cardinality(columns) <= 60),
  version    integer not null default 1
);
create unique index list_view_name_unique on list_view (list, staff_id, lower(name));
create index on list_view (staff_id);
create index on list_view (list) where is_shared;
grant select, insert, update, delete on list_view to shala_app;

-- For the staff list: what its search reads, in small letters, and the order of joining dates.
alter table staff add column search_text text not null generated always as
  (lower(name || ' ' || employee_number || ' ' || coalesce(mobile, '') || ' ' || coalesce(email, ''))) stored;
create index on staff_employment (joined_on, staff_id);
