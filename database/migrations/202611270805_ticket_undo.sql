-- What an act replaced, so that the person who acted can take it back a moment later. Every other act empties it.
alter table ticket add column before_act jsonb;

-- A new ticket needs a category in use, and a category or department with open tickets stays in use.
create function ticket_need_category() returns trigger language plpgsql as $$
begin
  perform 1 from ticket_category where id = new.category_id and is_active for share;
  if not found then
    raise exception 'the category is not in use' using errcode = '23514', constraint = 'ticket_category_used';
  end if;
  return new;
end $$;
create trigger category before insert or update of category_id on ticket
  for each row execute function ticket_need_category();

create function ticket_keep_category() returns trigger language plpgsql as $$
begin
  if exists (select from ticket where category_id = new.id and status in ('Open', 'In progress', 'On hold')) then
    raise exception 'the category has open tickets' using errcode = '23514', constraint = 'ticket_category_open';
  end if;
  return new;
end $$;
create trigger open before update of is_active on ticket_category
  for each row when (old.is_active and not new.is_active) execute function ticket_keep_category();

create function ticket_keep_department() returns trigger language plpgsql as $$
begin
  if exists (select from ticket where department_id = new.id and status in ('Open', 'In progress', 'On hold')) then
    raise exception 'the department has open tickets' using errcode = '23514', constraint = 'ticket_department_open';
  end if;
  return new;
end $$;
create trigger ticket before update of is_active on academic_department
  for each row when (old.is_active and not new.is_active) execute function ticket_keep_department();
