-- Adults and their links to children. Brothers, sisters and families follow from shared parents and guardians.

create table guardian (
  id             integer generated always as identity primary key,
  first_name     text not null check (length(first_name) between 1 and 50),
  middle_name    text not null default '' check (length(middle_name) <= 50),
  last_name      text not null default '' check (length(last_name) <= 50),
  mobile         text not null default '' check (mobile ~ '^([0-9]{10})?$'),
  email          text not null default '' check (length(email) <= 100),
  qualification  text not null default '' check (length(qualification) <= 100),
  occupation     text not null default '' check (length(occupation) <= 50),
  organization   text not null default '' check (length(organization) <= 100),
  job_profile    text not null default '' check (length(job_profile) <= 500),
  sector_id      integer references academic_career,
  specialty_id   integer references academic_career,
  staff_id       integer references staff,
  is_deceased    boolean not null default false,
  name           text not null generated always as (first_name ||
    case when middle_name = '' then '' else ' ' || middle_name end ||
    case when last_name = '' then '' else ' ' || last_name end) stored,
  search_key     text not null generated always as
    (name_key(first_name || ' ' || middle_name || ' ' || last_name)) stored,
  version        integer not null default 1
);
create index on guardian (mobile) where mobile <> '';
create index on guardian (lower(email)) where email <> '';
create index on guardian using gin (search_key gin_trgm_ops) with (gin_pending_list_limit = 64);
create index on guardian using gin (mobile gin_trgm_ops) with (gin_pending_list_limit = 64);
create index on guardian (staff_id);
create index on guardian (sector_id);
create index on guardian (specialty_id);

-- A parent or guardian makes the children one family; a contact may only be called or collect.
create table student_guardian (
  id                 integer generated always as identity primary key,
  student_id         integer not null references student,
  guardian_id        integer not null references guardian,
  relation_id        integer not null references academic_lookup,
  role               text not null check (role in ('Parent', 'Guardian', 'Contact')),
  is_primary         boolean not null default false,
  contact_order      smallint not null default 1 check (contact_order between 1 and 9),
  may_collect        boolean not null default false,
  receives_messages  boolean not null default false,
  -- By a court's order: no contact.
  is_barred          boolean not null default false,
  restriction        text not null default '' check (length(restriction) <= 300),
  version            integer not null default 1,
  constraint student_guardian_once unique (student_id, guardian_id),
  constraint student_guardian_primary_cares check (not is_primary or (role <> 'Contact' and not is_barred)),
  constraint student_guardian_barred check (not is_barred or not (may_collect or receives_messages)),
  constraint student_guardian_messages check (not receives_messages or role <> 'Contact'),
  constraint student_guardian_one_primary exclude using btree (student_id with =) where (is_primary)
    deferrable initially deferred
);
create index on student_guardian (guardian_id);
create index on student_guardian (relation_id);

-- Whether a child has a primary guardian when it has an adult who may be one, and whether that adult is alive.
create function student_lacks_primary(child integer) returns boolean language sql stable as $$
  select coalesce(
    bool_or(link.role <> 'Contact' and not link.is_barred and not adult.is_deceased) and not bool_or(link.is_primary)
      or bool_or(link.is_primary and adult.is_deceased), false)
  from student_guardian link join guardian adult on adult.id = link.guardian_id where link.student_id = $1
$$;

create function student_keep_primary() returns trigger language plpgsql as $$
declare
  children integer[];
  adult integer;
begin
  if tg_table_name = 'guardian' then
    children := array(select student_id from student_guardian where guardian_id = new.id);
  else
    children := array[case when tg_op = 'DELETE' then old.student_id else new.student_id end];
    adult := case when tg_op = 'DELETE' then null else new.guardian_id end;
  end if;
  if exists (select 1 from unnest(children) as child where student_lacks_primary(child)) then
    raise exception 'a child needs a primary guardian' using errcode = '23514', constraint = 'student_guardian_needs_primary';
  end if;
  -- An institution with many children is a contact, or a hostel would become one family.
  if adult is not null and (select count(*) from student_guardian where guardian_id = adult and role <> 'Contact') > 12 then
    raise exception 'too many children of one adult' using errcode = '23514', constraint = 'student_guardian_most_children';
  end if;
  return null;
end $$;
create constraint trigger has_primary after insert or update or delete on student_guardian
  deferrable initially deferred for each row execute function student_keep_primary();
create constraint trigger has_primary after update of is_deceased on guardian
  deferrable initially deferred for each row execute function student_keep_primary();

-- Sets family_id of all students in the families that changed links may join or divide.
create function student_regroup(children integer[], adults integer[]) returns void language plpgsql set enable_seqscan = off as $$
begin
  perform pg_advisory_xact_lock(hashtext('student_family'));
  with recursive touched as materialized (
    select distinct other.id
    from student own
    join student other on other.family_id = own.family_id
    where own.id = any (children)
      or own.id in (select student_id from student_guardian where guardian_id = any (adults))
  ), reached (start, id) as (
    select id, id from touched
    union
    select reached.start, sibling.student_id
    from reached
    join student_guardian link on link.student_id = reached.id and link.role <> 'Contact'
    join student_guardian sibling on sibling.guardian_id = link.guardian_id and sibling.role <> 'Contact'
  ), family as (
    select start as id, min(id) as family_id from reached group by start
  )
  update student set family_id = family.family_id
  from family where family.id = student.id and student.family_id <> family.family_id;
end $$;

create function student_regroup_links() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform student_regroup(array(select distinct student_id from changed), array(select distinct guardian_id from changed));
  elsif tg_op = 'DELETE' then
    perform student_regroup(array(select distinct student_id from before), array(select distinct guardian_id from before));
  elsif exists (select 1 from changed later join before earlier on earlier.id = later.id
      where (earlier.student_id, earlier.guardian_id, earlier.role = 'Contact')
        is distinct from (later.student_id, later.guardian_id, later.role = 'Contact')) then
    perform student_regroup(
      array(select student_id from changed union select student_id from before),
      array(select guardian_id from changed union select guardian_id from before));
  end if;
  return null;
end $$;
create trigger regroup after insert on student_guardian
  referencing new table as changed for each statement execute function student_regroup_links();
create trigger regroup_still after update on student_guardian
  referencing old table as before new table as changed for each statement execute function student_regroup_links();
create trigger regroup_gone after delete on student_guardian
  referencing old table as before for each statement execute function student_regroup_links();

-- The adult to call first.
create view student_contact as
  select link.student_id, link.guardian_id, adult.name, adult.mobile, adult.email
  from student_guardian link join guardian adult on adult.id = link.guardian_id
  where link.is_primary;

grant select, insert, update, delete on guardian, student_guardian to shala_app;
grant select on student_contact to shala_app;
