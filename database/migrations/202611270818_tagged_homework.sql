-- Homework and announcements carry tags too. The words that other areas added to the check stay.
do $$
declare
  known text := (select pg_get_expr(conbin, conrelid) from pg_constraint
    where conname = 'tag_link_entity_type_check' and conrelid = 'tag_link'::regclass);
begin
  alter table tag_link drop constraint tag_link_entity_type_check;
  execute format('alter table tag_link add constraint tag_link_entity_type_check
    check (%s or entity_type in (''Homework'', ''Announcement''))', known);
end $$;
alter table tag_link
  add column homework_id integer generated always as (case entity_type when 'Homework' then entity_id end) stored
    references homework on delete cascade,
  add column announcement_id integer generated always as (case entity_type when 'Announcement' then entity_id end) stored
    references announcement on delete cascade;
create index on tag_link (homework_id) where homework_id is not null;
create index on tag_link (announcement_id) where announcement_id is not null;
