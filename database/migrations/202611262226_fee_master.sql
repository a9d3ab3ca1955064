-- What a school charges for, and when (docs/decisions/0141-money-and-fee-masters.md). Amounts are paise, percentages
-- hundredths of a percent.

-- Money is receipted by series: a trust or the transport may be another legal entity.
create table fee_receipt_series (
  id          integer generated always as identity primary key,
  name        text not null check (length(name) between 1 and 60),
  short_name  text not null check (length(short_name) between 1 and 12),
  heading     text not null default '' check (length(heading) <= 200),
  is_active   boolean not null default true,
  version     integer not null default 1
);
create unique index fee_receipt_series_name_unique on fee_receipt_series (lower(name));
create unique index fee_receipt_series_short_name_unique on fee_receipt_series (lower(short_name));

create table fee_frequency (
  id             integer generated always as identity primary key,
  name           text not null check (length(name) between 1 and 50),
  code           text not null check (length(code) between 1 and 10),
  kind           text not null check (kind in ('Monthly', 'Bi-monthly', 'Quarterly', 'Half-yearly', 'Annual', 'One-time',
                   'Custom')),
  is_equal       boolean not null,
  -- Rupees to which each share is rounded down; the rest is added to one instalment.
  unit           smallint not null default 1 check (unit in (1, 10, 50, 100)),
  remainder_seq  smallint not null default 1 check (remainder_seq between 1 and 12),
  is_active      boolean not null default true,
  version        integer not null default 1
);
create unique index fee_frequency_name_unique on fee_frequency (lower(name));
create unique index fee_frequency_code_unique on fee_frequency (lower(code));

-- Months count from the first month of the academic year, which is 0.
create table fee_frequency_row (
  frequency_id  integer not null references fee_frequency on delete cascade,
  seq           smallint not null check (seq between 1 and 12),
  label         text not null check (length(label) between 1 and 40),
  from_month    smallint not null check (from_month between 0 and 11),
  months        smallint not null check (months between 1 and 12),
  due_month     smallint not null check (due_month between 0 and 12),
  due_day       smallint not null check (due_day between 1 and 28),
  share         integer check (share between 1 and 10000),
  primary key (frequency_id, seq),
  check (from_month + months <= 12),
  constraint fee_frequency_row_overlap exclude using gist
    (frequency_id with =, int4range(from_month, from_month + months) with &&)
);

-- Asked at the end of a transaction, since a frequency is saved with all its rows; the frequency is held, so that two
-- clerks change it one after the other.
create function fee_keep_frequency_whole() returns trigger language plpgsql as $$
declare
  frequency fee_frequency;
  given record;
begin
  for frequency in select f.* from fee_frequency f where f.id in
      (select distinct (one ->> tg_argv[0])::integer from unnest(array[to_jsonb(old), to_jsonb(new)]) as one
        where one is not null) for no key update loop
    select count(*) as rows, count(share) as shares, coalesce(sum(share), 0) as total, coalesce(max(seq), 0) as last
      into given from fee_frequency_row where frequency_id = frequency.id;
    if given.rows = 0 or given.last <> given.rows or frequency.remainder_seq > given.rows
        or (frequency.is_equal and given.shares > 0)
        or (not frequency.is_equal and (given.shares < given.rows or given.total <> 10000)) then
      raise exception 'the shares of a frequency are not a whole' using errcode = '23514',
        constraint = 'fee_frequency_whole';
    end if;
  end loop;
  return null;
end $$;
create constraint trigger whole after insert or update on fee_frequency
  deferrable initially deferred for each row execute function fee_keep_frequency_whole('id');
create constraint trigger whole after insert or update or delete on fee_frequency_row
  deferrable initially deferred for each row execute function fee_keep_frequency_whole('frequency_id');

create table fee_fine_rule (
  id         integer generated always as identity primary key,
  name       text not null check (length(name) between 1 and 60),
  is_active  boolean not null default true,
  version    integer not null default 1
);
create unique index fee_fine_rule_name_unique on fee_fine_rule (lower(name));

-- The terms of a rule from a day on. A due takes the terms of its due day.
create table fee_fine_version (
  id              integer generated always as identity primary key,
  rule_id         integer not null references fee_fine_rule on delete cascade,
  effective_from  date not null,
  effective_to    date,
  kind            text not null check (kind in ('One time', 'Per day', 'Slab')),
  amount          bigint check (amount between 1 and 90000000000000),
  grace_days      smallint not null check (grace_days between 0 and 60),
  max_amount      bigint check (max_amount between 1 and 90000000000000),
  check (effective_to >= effective_from),
  check ((kind = 'Slab') = (amount is null)),
  constraint fee_fine_version_overlap exclude using gist
    (rule_id with =, daterange(effective_from, effective_to, '[]') with &&)
);

create table fee_fine_slab (
  version_id  integer not null references fee_fine_version on delete cascade,
  from_day    smallint not null check (from_day between 1 and 366),
  amount      bigint not null check (amount between 1 and 90000000000000),
  primary key (version_id, from_day)
);

create function fee_keep_slabs_rising() returns trigger language plpgsql as $$
declare
  given fee_fine_version;
begin
  for given in select v.* from fee_fine_version v where v.id in
      (select distinct (one ->> tg_argv[0])::integer from unnest(array[to_jsonb(old), to_jsonb(new)]) as one
        where one is not null) loop
    if (given.kind = 'Slab') <> exists (select from fee_fine_slab where version_id = given.id)
        or exists (select from (select amount, lag(amount) over (order by from_day) as before from fee_fine_slab
          where version_id = given.id) as slab where amount <= before) then
      raise exception 'the amounts of slabs do not rise' using errcode = '23514', constraint = 'fee_fine_slab_rising';
    end if;
  end loop;
  return null;
end $$;
create constraint trigger rising after insert or update on fee_fine_version
  deferrable initially deferred for each row execute function fee_keep_slabs_rising('id');
create constraint trigger rising after insert or update or delete on fee_fine_slab
  deferrable initially deferred for each row execute function fee_keep_slabs_rising('version_id');

create table fee_head (
  id                 integer generated always as identity primary key,
  name               text not null check (length(name) between 1 and 80),
  short_name         text not null check (length(short_name) between 1 and 12),
  category           text not null check (category in ('Admission', 'Tuition', 'Term', 'Exam', 'Activity', 'Lab', 'Library',
                       'Transport', 'Hostel', 'Meal', 'Uniform', 'Deposit', 'Fine', 'Other')),
  frequency_id       integer not null references fee_frequency,
  applies_to         text not null check (applies_to in ('All students', 'New students', 'Existing students')),
  pro_rata           text not null check (pro_rata in ('None', 'Month', 'Day')),
  is_optional        boolean not null default false,
  is_refundable      boolean not null default false,
  is_discountable    boolean not null default false,
  priority           smallint not null check (priority between 1 and 99),
  receipt_series_id  integer not null references fee_receipt_series,
  fine_rule_id       integer references fee_fine_rule,
  gst_rate           integer not null default 0 check (gst_rate between 0 and 2800),
  sac                text not null default '' check (sac = '' or sac ~ '^[0-9]{4,8}$'),
  ledger_code        text not null default '' check (length(ledger_code) <= 20),
  is_active          boolean not null default true,
  version            integer not null default 1
);
create unique index fee_head_name_unique on fee_head (lower(name));
create unique index fee_head_short_name_unique on fee_head (lower(short_name));
-- Transport is charged by stop, to one head.
create unique index fee_head_one_transport on fee_head (category) where category = 'Transport' and is_active;
create index on fee_head (frequency_id);
create index on fee_head (receipt_series_id);
create index on fee_head (fine_rule_id);

grant select, insert, update, delete on fee_receipt_series, fee_frequency, fee_frequency_row, fee_fine_rule,
  fee_fine_version, fee_fine_slab, fee_head to shala_app;
