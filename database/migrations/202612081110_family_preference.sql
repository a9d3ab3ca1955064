-- How a guardian wants messages: by which way first, in which hours not, and what not at all.
alter table guardian_preference
  add column channel text not null default '' check (channel in ('', 'sms', 'email')),
  add column quiet_from smallint check (quiet_from between 18 and 23),
  add column quiet_until smallint check (quiet_until between 4 and 10),
  -- Only kinds that repeat what the page shows: never absence, an emergency, fees, leave, an announcement or a code.
  add column muted text[] not null default '{}' check (muted <@ array['homework.digest', 'homework.reminder']),
  add constraint guardian_preference_quiet check ((quiet_from is null) = (quiet_until is null));

-- A message that can wait keeps the reader's own quiet hours too.
alter table outbox add column waits_for_reader boolean not null default false;

-- The way that the guardian prefers comes first, and nobody is told what they muted.
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
      and ($5 or not exists (select from guardian_preference wish where wish.guardian_id = adult.id and $3 = any(wish.muted)))
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
      -- The office chooses how the link goes.
      order by $3 <> 'family.link' and exists (select from guardian_preference wish
        where wish.guardian_id = told.guardian_id and wish.channel = had.channel) desc, array_position($4, had.channel) limit case when $5 then 2 else 1 end) as one),
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
    case when told.guardian_id is null then case when exists (select from guardian_preference wish
        where wish.guardian_id = adult.guardian_id and $3 = any(wish.muted)) then 'Muted' else 'Receives no messages' end when way.channel is null then
      case when exists (select from message_trouble trouble where trouble.guardian_id = adult.guardian_id
        and trouble.channel = any($4) and trouble.since is not null) then 'Does not work' else 'No address' end
      when same.reader is not null then 'Same as' else '' end, same.reader
  from (select distinct asked.guardian_id from asked) as adult
  left join told on told.guardian_id = adult.guardian_id
  left join way on way.guardian_id = adult.guardian_id
  left join same on same.guardian_id = adult.guardian_id
$$;

-- The messages to one guardian, the latest first.
create index outbox_reader on outbox (reader_id, id desc) where reader_id is not null;
