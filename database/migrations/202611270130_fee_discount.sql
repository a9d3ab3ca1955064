-- Discounts that a school gives, and the concessions of students (docs/decisions/0147-concessions-month-by-month.md and
-- 0148-discounts-and-concessions.md).

create table fee_discount (
  id                integer generated always as identity primary key,
  name              text not null check (length(name) between 1 and 80),
  code              text not null check (length(code) between 1 and 12),
  value_kind        text not null check (value_kind in ('Percent', 'Fixed amount', 'Full waiver')),
  -- Of siblings that of the second child.
  percent           integer check (percent between 1 and 10000),
  amount            bigint check (amount between 1 and 90000000000000),
  all_heads         boolean not null,
  eligibility       text not null check (eligibility in ('Any student', 'Siblings', 'Staff child', 'RTE',
                      'Student category', 'Merit')),
  stack_group       text not null default '' check (length(stack_group) <= 20),
  priority          smallint not null check (priority between 1 and 99),
  max_amount        bigint check (max_amount between 1 and 90000000000000),
  needs_approval    boolean not null,
  -- Without it every concession is granted at once, unless all of them need approval.
  approval_above    integer check (approval_above between 1 and 10000),
  academic_year_id  integer references academic_year,
  is_active         boolean not null default true,
  version           integer not null default 1,
  check ((value_kind = 'Percent') = (percent is not null)),
  check ((value_kind = 'Fixed amount') = (amount is not null)),
  -- An amount a year is spread over the months of one head.
  check (value_kind <> 'Fixed amount' or not all_heads),
  check (eligibility <> 'Siblings' or value_kind = 'Percent')
);
create unique index fee_discount_name_unique on fee_discount (lower(name));
create unique index fee_discount_code_unique on fee_discount (lower(code));
create index on fee_discount (academic_year_id);

create table fee_discount_head (
  discount_id  integer not null references fee_discount on delete cascade,
  fee_head_id  integer not null references fee_head,
  primary key (discount_id, fee_head_id)
);
create index on fee_discount_head (fee_head_id);

-- The percentage of a later child of a family; a child without a step has that of the child before.
create table fee_discount_step (
  discount_id  integer not null references fee_discount on delete cascade,
  child        smallint not null check (child between 3 and 9),
  percent      integer not null check (percent between 1 and 10000),
  primary key (discount_id, child)
);

create table fee_discount_category (
  discount_id  integer not null references fee_discount on delete cascade,
  category_id  integer not null references academic_lookup,
  primary key (discount_id, category_id)
);
create index on fee_discount_category (category_id);

-- Asked at the end of a transaction, since a discount is saved with its heads, steps and categories.
create function fee_keep_discount_whole() returns trigger language plpgsql as $$
declare
  discount fee_discount;
  heads bigint;
begin
  for discount in select d.* from fee_discount d where d.id in
      (select distinct (one ->> tg_argv[0])::integer from unnest(array[to_jsonb(old), to_jsonb(new)]) as one
        where one is not null) loop
    select count(*) into heads from fee_discount_head where discount_id = discount.id;
    if (heads > 0) = discount.all_heads or (discount.value_kind = 'Fixed amount' and heads <> 1)
        or (discount.eligibility = 'Student category')
          <> exists (select from fee_discount_category where discount_id = discount.id)
        or (discount.eligibility <> 'Siblings'
          and exists (select from fee_discount_step where discount_id = discount.id)) then
      raise exception 'the parts of a discount do not fit' using errcode = '23514', constraint = 'fee_discount_whole';
    end if;
  end loop;
  return null;
end $$;
create constraint trigger whole after insert or update on fee_discount
  deferrable initially deferred for each row execute function fee_keep_discount_whole('id');
create constraint trigger whole after insert or update or delete on fee_discount_head
  deferrable initially deferred for each row execute function fee_keep_discount_whole('discount_id');
create constraint trigger whole after insert or update or delete on fee_discount_step
  deferrable initially deferred for each row execute function fee_keep_discount_whole('discount_id');
create constraint trigger whole after insert or update or delete on fee_discount_category
  deferrable initially deferred for each row execute function fee_keep_discount_whole('discount_id');

-- A discount of a student, from a month to a month; both days are days on which it holds.
create table fee_concession (
  id                integer generated always as identity primary key,
  student_id        integer not null references student,
  academic_year_id  integer not null references academic_year,
  discount_id       integer not null references fee_discount,
  source            text not null check (source in ('Asked', 'Suggested')),
  -- What it takes off, as the discount was when it was asked for; neither for a full waiver.
  percent           integer check (percent between 1 and 10000),
  amount            bigint check (amount between 1 and 90000000000000),
  effective_from    date not null check (effective_from = date_trunc('month', effective_from::timestamp)::date),
  -- The last day of a month.
  effective_to      date not null check (effective_to >= effective_from
                      and effective_to = (date_trunc('month', effective_to::timestamp) + interval '1 month - 1 day')::date),
  reason            text not null default '' check (length(reason) <= 500),
  status            text not null check (status in ('Suggested', 'Requested', 'Approved', 'Rejected', 'Revoked')),
  requested_by      integer references staff,
  created_at        timestamptz not null default now(),
  version           integer not null default 1,
  check (num_nonnulls(percent, amount) <= 1),
  check (status = 'Suggested' or requested_by is not null),
  constraint fee_concession_once exclude using gist
    (student_id with =, discount_id with =, daterange(effective_from, effective_to, '[]') with &&)
    where (status in ('Requested', 'Approved'))
);
create unique index fee_concession_suggested on fee_concession (student_id, discount_id, academic_year_id)
  where status = 'Suggested';
create index on fee_concession (academic_year_id, status);
create index on fee_concession (student_id, academic_year_id);
create index on fee_concession (discount_id);
create index on fee_concession (requested_by);

-- A concession keeps the terms that it was given with: its discount is duplicated to change them.
create function fee_keep_used_discount() returns trigger language plpgsql as $$
declare
  own integer := case when tg_table_name = 'fee_discount' then (to_jsonb(old) ->> 'id')::integer
    else (coalesce(to_jsonb(old), to_jsonb(new)) ->> 'discount_id')::integer end;
  changeable text[] := '{name,code,is_active,needs_approval,approval_above,version}';
begin
  if tg_table_name = 'fee_discount' and to_jsonb(new) - changeable = to_jsonb(old) - changeable then return new; end if;
  if exists (select from fee_concession where discount_id = own and status <> 'Suggested')
      and (tg_op <> 'DELETE' or exists (select from fee_discount where id = own)) then
    raise exception 'a discount in use keeps its terms' using errcode = '23514', constraint = 'fee_discount_in_use';
  end if;
  return coalesce(new, old);
end $$;
create trigger in_use before update on fee_discount for each row execute function fee_keep_used_discount();
create trigger in_use before insert or update or delete on fee_discount_head
  for each row execute function fee_keep_used_discount();
create trigger in_use before insert or update or delete on fee_discount_step
  for each row execute function fee_keep_used_discount();
create trigger in_use before insert or update or delete on fee_discount_category
  for each row execute function fee_keep_used_discount();

-- What a decided concession gives does not change; it only ends earlier.
create function fee_keep_concession() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if old.status = 'Suggested' then return old; end if;
  elsif old.status in ('Suggested', 'Requested') then
    if old.status = 'Suggested' or to_jsonb(new) - '{status,version}'::text[] = to_jsonb(old) - '{status,version}'::text[]
      then return new; end if;
  elsif old.status = 'Approved' and new.status in ('Approved', 'Revoked') and new.effective_to <= old.effective_to
      and to_jsonb(new) - '{status,version,effective_to}'::text[] = to_jsonb(old) - '{status,version,effective_to}'::text[] then
    return new;
  end if;
  raise exception 'a concession keeps its terms' using errcode = '23514', constraint = 'fee_concession_kept';
end $$;
create trigger kept before update or delete on fee_concession for each row execute function fee_keep_concession();
create trigger closed_year before insert or update or delete on fee_concession
  for each row execute function academic_refuse_closed_year();

grant select, insert, update, delete on fee_discount, fee_discount_head, fee_discount_step, fee_discount_category,
  fee_concession to shala_app;

alter table fee_ledger_entry add foreign key (concession_id) references fee_concession;
