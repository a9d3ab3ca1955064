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

-- The staff list: search within these texts, the order of joining dates, and who has signed in.
create extension if not exists pg_trgm;
create index staff_list_search on staff using gin
  ((name || ' ' || employee_number || ' ' || coalesce(mobile, '') || ' ' || coalesce(email, '')) gin_trgm_ops);
create index on staff_employment (joined_on, staff_id);
create index audit_signed_in on audit (entity_id) where entity = 'sign_in_account' and action = 'sign-in.signed-in';
