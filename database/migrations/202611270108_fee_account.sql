-- What each student owes (docs/decisions/0149-ledger-first.md). The application only inserts entries of the ledger; sums
-- are written by a trigger on it.

-- One row for each student or applicant: every act with money of a child locks it.
create table fee_account (
  id          integer generated always as identity primary key,
  student_id  integer unique references student,
  inquiry_id  integer unique references admission_inquiry,
  balance     bigint not null default 0,
  version     integer not null default 1,
  check (num_nonnulls(student_id, inquiry_id) >= 1)
);

create table fee_plan (
  id                integer generated always as identity primary key,
  account_id        integer not null references fee_account,
  academic_year_id  integer not null references academic_year,
  joined_on         date not null,
  left_on           date check (left_on >= joined_on),
  status            text not null default 'Active' check (status in ('Active', 'Withdrawn')),
  version           integer not null default 1,
  unique (id, account_id, academic_year_id)
);
create unique index fee_plan_once on fee_plan (account_id, academic_year_id) where status = 'Active' and left_on is null;
create index on fee_plan (academic_year_id, status);

-- Why the facts of a plan changed, with the amount that followed.
create table fee_plan_change (
  id              integer generated always as identity primary key,
  plan_id         integer not null references fee_plan,
  kind            text not null check (kind in ('Made', 'Left', 'Back', 'Grade', 'Category', 'Branch', 'Prices', 'Option',
                    'Transport', 'Concession', 'Due day', 'Withdrawn')),
  effective_from  date not null,
  reason          text not null default '' check (length(reason) <= 500),
  run_id          integer,
  staff_id        integer references staff,
  at              timestamptz not null default now(),
  total           bigint not null default 0
);
create index on fee_plan_change (plan_id);
create index on fee_plan_change (staff_id);

-- Which prices count for a head, from a month of the year on.
create table fee_plan_stage (
  plan_id       integer not null references fee_plan,
  fee_head_id   integer not null references fee_head,
  from_month    smallint not null check (from_month between 0 and 11),
  structure_id  integer not null references fee_structure,
  change_id     integer not null references fee_plan_change,
  primary key (plan_id, fee_head_id, from_month)
);
create index on fee_plan_stage (structure_id);
create index on fee_plan_stage (fee_head_id);
create index on fee_plan_stage (change_id);

-- The months for which an optional head was chosen.
create table fee_plan_option (
  plan_id      integer not null references fee_plan,
  fee_head_id  integer not null references fee_head,
  from_month   smallint not null check (from_month between 0 and 11),
  to_month     smallint not null check (to_month between from_month and 11),
  primary key (plan_id, fee_head_id, from_month),
  constraint fee_plan_option_overlap exclude using gist
    (plan_id with =, fee_head_id with =, int4range(from_month, to_month, '[]') with &&)
);
create index on fee_plan_option (fee_head_id);

-- Amounts by month of heads that structures do not price, such as transport.
create table fee_plan_month (
  plan_id      integer not null references fee_plan,
  fee_head_id  integer not null references fee_head,
  month        smallint not null check (month between 0 and 11),
  amount       bigint not null check (amount between 0 and 90000000000000),
  primary key (plan_id, fee_head_id, month)
);
create index on fee_plan_month (fee_head_id);

create table fee_due (
  id                 integer generated always as identity primary key,
  account_id         integer not null references fee_account,
  plan_id            integer,
  academic_year_id   integer references academic_year,
  kind               text not null check (kind in ('Plan')),
  fee_head_id        integer not null references fee_head,
  receipt_series_id  integer not null references fee_receipt_series,
  gst_rate           integer not null check (gst_rate between 0 and 2800),
  label              text not null check (length(label) between 1 and 120),
  frequency_id       integer not null references fee_frequency,
  seq                smallint not null check (seq between 1 and 12),
  period_from        date not null,
  period_to          date not null check (period_to >= period_from),
  due_on             date not null,
  -- The first day for which a late fine counts; null for the due day.
  fine_from          date,
  gross              bigint not null default 0,
  pro_rata           bigint not null default 0,
  concession         bigint not null default 0,
  adjusted           bigint not null default 0,
  paid               bigint not null default 0,
  net                bigint not null generated always as (gross - pro_rata - concession + adjusted) stored,
  check ((kind = 'Plan') = (plan_id is not null)),
  foreign key (plan_id, account_id, academic_year_id) references fee_plan (id, account_id, academic_year_id),
  constraint fee_due_pro_rata check (pro_rata between 0 and gross),
  constraint fee_due_concession check (concession between 0 and gross - pro_rata),
  constraint fee_due_adjusted check (adjusted <= 0),
  constraint fee_due_net check (gross - pro_rata - concession + adjusted >= 0),
  constraint fee_due_paid check (paid between 0 and gross - pro_rata - concession + adjusted),
  unique (id, account_id, receipt_series_id)
);
create unique index fee_due_once on fee_due (plan_id, fee_head_id, frequency_id, seq) where plan_id is not null;
create index on fee_due (account_id, due_on);
create index fee_due_open on fee_due (due_on, account_id) include (net, paid) where paid < gross - pro_rata - concession + adjusted;
create index on fee_due (fee_head_id);
create index on fee_due (frequency_id);
create index on fee_due (receipt_series_id);
create index on fee_due (academic_year_id);

-- Only ever inserted. A reversal has the same child, kind and due and the opposite amount, and an entry is reversed once.
create table fee_ledger_entry (
  id                 bigint generated always as identity primary key,
  account_id         integer not null references fee_account,
  -- Null for the advance of the receipt series.
  due_id             integer,
  receipt_series_id  integer not null references fee_receipt_series,
  academic_year_id   integer references academic_year,
  kind               text not null check (kind in ('Charge', 'Pro-rata', 'Concession', 'Applied')),
  -- The day of the books, and the day from which the amount counts as due.
  entry_date         date not null,
  due_on             date not null,
  amount             bigint not null check (amount <> 0 and amount between -90000000000000 and 90000000000000),
  concession_id      integer,
  change_id          integer references fee_plan_change,
  reverses_id        bigint unique,
  undone             bigint not null generated always as (-amount) stored,
  due_key            integer not null generated always as (coalesce(due_id, 0)) stored,
  created_at         timestamptz not null default now(),
  check (due_id is not null or kind = 'Applied'),
  check ((kind = 'Concession') = (concession_id is not null)),
  check (kind = 'Applied' or change_id is not null),
  foreign key (due_id, account_id, receipt_series_id) references fee_due (id, account_id, receipt_series_id),
  unique (id, account_id, kind, due_key, amount),
  constraint fee_ledger_entry_reversal foreign key (reverses_id, account_id, kind, due_key, undone)
    references fee_ledger_entry (id, account_id, kind, due_key, amount)
);
create index on fee_ledger_entry (account_id, due_on, id);
create index on fee_ledger_entry (due_id);
create index on fee_ledger_entry (concession_id);
create index on fee_ledger_entry (change_id);
create index on fee_ledger_entry (receipt_series_id);
create index on fee_ledger_entry (academic_year_id);

-- Money of one receipt series never pays dues of another: each may be a legal entity.
create table fee_advance (
  account_id         integer not null references fee_account,
  receipt_series_id  integer not null references fee_receipt_series,
  amount             bigint not null default 0 constraint fee_advance_amount check (amount >= 0),
  primary key (account_id, receipt_series_id)
);
create index on fee_advance (receipt_series_id);

-- An act is one insert, so that the checks of dues and advances see its finished state.
create function fee_post() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from academic_year where status = 'Closed'
      and id in (select academic_year_id from posted where kind in ('Charge', 'Pro-rata', 'Concession'))) then
    raise exception 'the academic year is closed' using errcode = '23514', constraint = 'academic_year_is_closed';
  end if;
  perform from fee_account where id in (select account_id from posted) order by id for no key update;
  update fee_due due set gross = due.gross + part.charged, pro_rata = due.pro_rata - part.pro_rata,
    concession = due.concession - part.concession, paid = due.paid - part.applied
  from (select due_id,
      coalesce(sum(amount) filter (where kind = 'Charge'), 0) as charged,
      coalesce(sum(amount) filter (where kind = 'Pro-rata'), 0) as pro_rata,
      coalesce(sum(amount) filter (where kind = 'Concession'), 0) as concession,
      coalesce(sum(amount) filter (where kind = 'Applied'), 0) as applied
    from posted where due_id is not null group by due_id) as part
  where due.id = part.due_id;
  insert into fee_advance (account_id, receipt_series_id)
    select distinct account_id, receipt_series_id from posted where due_id is null on conflict do nothing;
  update fee_advance own set amount = own.amount - part.amount
  from (select account_id, receipt_series_id, sum(amount) as amount from posted where due_id is null
    group by account_id, receipt_series_id) as part
  where own.account_id = part.account_id and own.receipt_series_id = part.receipt_series_id;
  update fee_account account set balance = account.balance + part.amount, version = account.version + 1
  from (select account_id, sum(amount) as amount from posted group by account_id) as part
  where account.id = part.account_id;
  return null;
end $$;
revoke execute on function fee_post() from public;
create trigger post after insert on fee_ledger_entry referencing new table as posted
  for each statement execute function fee_post();

-- Prices of a closed year stay; its money goes on.
create trigger closed_year before insert or update or delete on fee_plan
  for each row execute function academic_refuse_closed_year();
create function fee_refuse_closed_plan() returns trigger language plpgsql as $$
begin
  if exists (select from fee_plan plan join academic_year year on year.id = plan.academic_year_id
      where plan.id = coalesce(new.plan_id, old.plan_id) and year.status = 'Closed') then
    raise exception 'the academic year is closed' using errcode = '23514', constraint = 'academic_year_is_closed';
  end if;
  return coalesce(new, old);
end $$;
create trigger closed_year before insert or update or delete on fee_plan_stage
  for each row execute function fee_refuse_closed_plan();
create trigger closed_year before insert or update or delete on fee_plan_option
  for each row execute function fee_refuse_closed_plan();
create trigger closed_year before insert or update or delete on fee_plan_month
  for each row execute function fee_refuse_closed_plan();

-- Sums are the trigger's: the application has no right to write them.
grant select, insert (student_id, inquiry_id), update (student_id, inquiry_id) on fee_account to shala_app;
grant select, insert, update (joined_on, left_on, status, version) on fee_plan to shala_app;
grant select, insert on fee_plan_change to shala_app;
grant select, insert, update, delete on fee_plan_stage, fee_plan_option, fee_plan_month to shala_app;
grant select, update (due_on, fine_from), insert (account_id, plan_id, academic_year_id, kind, fee_head_id,
  receipt_series_id, gst_rate, label, frequency_id, seq, period_from, period_to, due_on, fine_from) on fee_due to shala_app;
grant select, insert (account_id, due_id, receipt_series_id, academic_year_id, kind, entry_date, due_on, amount,
  concession_id, change_id, reverses_id) on fee_ledger_entry to shala_app;
grant select on fee_advance to shala_app;
