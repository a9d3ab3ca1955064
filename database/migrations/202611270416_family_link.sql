-- What an adult sees of a child on the family page: everything, or neither dues nor bus.
alter table student_guardian
  add column family_page text not null default 'All' check (family_page in ('All', 'School matters'));

-- Where a restriction is entered, the adult sees less until the office decides otherwise.
create function restrict_family_page() returns trigger language plpgsql as $$
begin
  new.family_page := 'School matters';
  return new;
end $$;
create trigger restrict_family_page_of_new before insert on student_guardian
  for each row when (new.restriction <> '') execute function restrict_family_page();
create trigger restrict_family_page before update of restriction on student_guardian
  for each row when (old.restriction = '' and new.restriction <> '') execute function restrict_family_page();
update student_guardian set family_page = 'School matters' where restriction <> '';

-- The children whom an adult may see on a day, by the dates of enrolment. Every page and message for families asks it.
create function family_children(guardian integer, day date) returns table (
  student_id integer, enrollment_id integer, section_id integer, grade_id integer, branch_id integer,
  reach text, may_collect boolean, receives_messages boolean
) language sql stable as $$
  select there.student_id, there.enrollment_id, there.section_id, there.grade_id, there.branch_id,
    link.family_page, link.may_collect, link.receives_messages
  from student_guardian link
  join guardian adult on adult.id = link.guardian_id and not adult.is_deceased
  join student_on($2) there on there.student_id = link.student_id
  where link.guardian_id = $1 and link.role <> 'Contact' and not link.is_barred
$$;

-- One link a guardian. It lives from the last message that carried it; opening does not extend it.
create table family_link (
  guardian_id      integer primary key references guardian on delete cascade,
  version          integer not null,
  key_id           text not null,
  link_hash        bytea not null unique,
  short_hash       bytea not null unique,
  sent_at          timestamptz not null,
  expires_at       timestamptz not null,
  revoked_at       timestamptz,
  revoked_reason   text not null default '' check (length(revoked_reason) <= 200),
  opened_first_at  timestamptz,
  opened_last_at   timestamptz,
  check ((revoked_at is null) = (revoked_reason = '')),
  check ((opened_first_at is null) = (opened_last_at is null))
);

-- How often a link was opened on a day: neither from where, nor for which child.
create table family_opening (
  guardian_id  integer not null references guardian on delete cascade,
  day          date not null,
  times        smallint not null check (times between 1 and 48),
  primary key (guardian_id, day)
);

-- A link is known to the contact it was sent to. When that is changed, by whatever means, the link ends.
create function end_family_link() returns trigger language plpgsql as $$
begin
  update family_link set revoked_at = now(), revoked_reason = 'Contact changed'
  where guardian_id = new.id and revoked_at is null;
  return null;
end $$;
create trigger contact_ends_family_link after update of mobile, email on guardian
  for each row when ((old.mobile <> '' and new.mobile <> old.mobile) or (old.email <> '' and new.email <> old.email))
  execute function end_family_link();

-- Closes what waits with a link that works no more.
create function close_family_messages() returns trigger language plpgsql as $$
begin
  update outbox set status = 'expired', recipient = null, last_error = 'Contact or link changed'
  where status = 'queued' and template = 'family.link' and subject_id = new.guardian_id
    and (new.revoked_at is not null or version is distinct from new.version);
  return null;
end $$;
create trigger close_family_messages after update on family_link
  for each row when (new.version <> old.version or (new.revoked_at is not null and old.revoked_at is null))
  execute function close_family_messages();

grant select, insert, update on family_link to shala_app;
grant select, insert, update on family_opening to shala_app;
