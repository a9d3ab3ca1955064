-- What gateways report of a text message that they took, and the addresses at which messages do not arrive.
alter table outbox
  add column delivery text not null default '' check (delivery in ('', 'Accepted', 'Failed', 'Delivered', 'Read')),
  add column delivery_reason text not null default '' check (length(delivery_reason) <= 100);
create index outbox_texts on outbox (reader_id, queued_at) where channel = 'sms';
grant update (delivery, delivery_reason) on outbox to shala_app;

-- Gateways report in any order, and twice: a state only rises.
create function delivery_rank(state text) returns integer language sql immutable as $$
  select array_position(array['', 'Accepted', 'Failed', 'Delivered', 'Read'], state)
$$;
create function outbox_delivery_rises() returns trigger language plpgsql as $$
begin
  if delivery_rank(new.delivery) < delivery_rank(old.delivery) then
    raise exception 'the delivery of a message only rises' using errcode = '23514', constraint = 'outbox_delivery_rises';
  end if;
  return new;
end $$;
create trigger delivery_rises before update of delivery on outbox
  for each row when (new.delivery <> old.delivery) execute function outbox_delivery_rises();

create table message_trouble (
  guardian_id  integer not null references guardian on delete cascade,
  channel      text not null check (channel in ('sms', 'email')),
  -- Failures before it do not count: the contact changed then, or a message arrived.
  counts_from  timestamptz not null default '-infinity',
  -- Since when the channel is not used; null while it is.
  since        timestamptz,
  times        smallint not null default 0,
  reason       text not null default '',
  primary key (guardian_id, channel)
);
grant select, insert, update, delete on message_trouble to shala_app;

-- A new number or address is tried: failures of the earlier one do not count, also those that are reported later.
create function forget_message_trouble() returns trigger language plpgsql as $$
begin
  insert into message_trouble (guardian_id, channel, counts_from)
  select new.id, changed.channel, school_now()
  from (values ('email', lower(old.email), lower(new.email)), ('sms', old.mobile, new.mobile)) as changed (channel, earlier, now)
  where changed.earlier <> '' and changed.now <> changed.earlier
  on conflict (guardian_id, channel) do update set since = null, times = 0, reason = '', counts_from = excluded.counts_from;
  return null;
end $$;
create trigger contact_forgets_trouble after update of mobile, email on guardian
  for each row when (new.mobile <> old.mobile or new.email <> old.email) execute function forget_message_trouble();

-- A channel on which messages do not arrive is left out, so that the next one is used.
create or replace function family_ways(guardians integer[], students integer[], kind text, sends text[], uses_all boolean)
returns table (guardian_id integer, channel text, address text, reason text, same_as integer)
language sql stable as $$
  with asked as materialized (
    select distinct pair.guardian_id, pair.student_id from unnest($1, $2) as pair (guardian_id, student_id)),
  told as materialized (
    select asked.guardian_id, adult.mobile, lower(adult.email) as email,
      min(case when bond.is_primary then 0 else bond.contact_order end) as place,
      array_agg(asked.student_id::text) || coalesce(array_agg(asked.student_id || ' all')
        filter (where $3 = 'family.link' and bond.family_page = 'All'), '{}') as reads
    from asked
    join guardian adult on adult.id = asked.guardian_id and not adult.is_deceased
    join student_guardian bond on bond.guardian_id = asked.guardian_id and bond.student_id = asked.student_id
    -- The link itself is for all who see a child on the page.
    where not bond.is_barred and (bond.receives_messages or $3 = 'family.link')
    group by asked.guardian_id, adult.mobile, adult.email),
  way as materialized (
    select told.guardian_id, one.channel, one.address, count(*) over (partition by told.guardian_id) as ways
    from told
    cross join lateral (
      select had.channel, had.address
      from (values ('sms', told.mobile), ('email', told.email)) as had (channel, address)
      where had.address <> '' and had.channel = any($4)
        -- An emergency tries every address.
        and ($5 or not exists (select from message_trouble trouble where trouble.guardian_id = told.guardian_id
          and trouble.channel = had.channel and trouble.since is not null))
      order by array_position($4, had.channel) limit case when $5 then 2 else 1 end) as one),
  same as materialized (
    select distinct on (own.guardian_id) own.guardian_id, other.guardian_id as reader
    from (
      select mine.guardian_id, theirs.guardian_id as other
      from way mine join way theirs on theirs.address = mine.address and theirs.guardian_id <> mine.guardian_id
      group by 1, 2, mine.ways having count(*) = mine.ways) as shared
    join told own on own.guardian_id = shared.guardian_id
    join told other on other.guardian_id = shared.other
    where other.reads @> own.reads
      -- Of two who read the same, the one to call first.
      and (not own.reads @> other.reads or (other.place, other.guardian_id) < (own.place, own.guardian_id))
    order by own.guardian_id, other.place, other.guardian_id)
  select adult.guardian_id, way.channel, way.address,
    case when told.guardian_id is null then 'Receives no messages' when way.channel is null then
      case when exists (select from message_trouble trouble where trouble.guardian_id = adult.guardian_id
        and trouble.channel = any($4) and trouble.since is not null) then 'Does not work' else 'No address' end
      when same.reader is not null then 'Same as' else '' end, same.reader
  from (select distinct asked.guardian_id from asked) as adult
  left join told on told.guardian_id = adult.guardian_id
  left join way on way.guardian_id = adult.guardian_id
  left join same on same.guardian_id = adult.guardian_id
$$;
