-- What a child owes falls by a receipt, by a request that a second person approved, by a fact that nobody with the set
-- accountant entered, by a price that a second person published, or by undoing an own act of the same day.

-- Why a change may lower what is owed. 'Before' is for changes older than this column.
alter table fee_plan_change
  add column authority text not null default 'Before' check (authority in
    ('Raise', 'Terms', 'Decided', 'Price', 'Fact', 'Choice', 'Undo', 'Before')),
  add column approval_id integer references approval,
  add column undoes_id integer references fee_plan_change,
  add constraint fee_plan_change_approved check (approval_id is null or authority = 'Decided'),
  add constraint fee_plan_change_undoes check ((undoes_id is null) = (authority <> 'Undo'));
alter table fee_plan_change alter column authority set default 'Raise';
create unique index fee_plan_change_approval_once on fee_plan_change (approval_id);
create unique index fee_plan_change_undone_once on fee_plan_change (undoes_id);

-- A change of a plan that lowers what is owed, kept until a second person decides. The facts apply with the decision.
create table fee_relief (
  id              integer generated always as identity primary key,
  plan_id         integer not null references fee_plan,
  kind            text not null check (kind in ('Left', 'Back', 'Grade', 'Category', 'Branch', 'Transport', 'Option',
                    'Due day', 'Withdrawn')),
  -- Which facts of the plan change: the newest request about them replaces an older one.
  part            text not null check (part in ('days', 'stages', 'months', 'options', 'due day')),
  facts           jsonb not null,
  effective_from  date not null,
  lowers          bigint not null check (lowers > 0),
  reason          text not null default '' check (length(reason) <= 500),
  asked_by        integer not null references staff,
  asked_at        timestamptz not null,
  status          text not null default 'Asked' check (status in ('Asked', 'Done', 'Rejected', 'Withdrawn')),
  change_id       integer references fee_plan_change,
  version         integer not null default 1,
  constraint fee_relief_done check ((status = 'Done') = (change_id is not null))
);
create unique index fee_relief_once on fee_relief (plan_id, part) where status = 'Asked';
create index on fee_relief (plan_id);
create index on fee_relief (asked_by);
create index on fee_relief (change_id);
create function fee_keep_decided_relief() returns trigger language plpgsql as $$
begin
  if old.status <> 'Asked' then
    raise exception 'a decided request does not change' using errcode = '23514', constraint = 'fee_relief_decided';
  end if;
  return new;
end $$;
create trigger decided before update on fee_relief for each row execute function fee_keep_decided_relief();
grant select, insert (plan_id, kind, part, facts, effective_from, lowers, reason, asked_by, asked_at),
  update (status, change_id, version) on fee_relief to shala_app;

alter table approval add column fee_relief_id integer references fee_relief;
create unique index approval_fee_relief on approval (fee_relief_id) where status = 'Pending';
create index on approval (fee_relief_id);
do $$
declare
  kinds text := (select pg_get_expr(conbin, conrelid) from pg_constraint
    where conname = 'approval_kind' and conrelid = 'approval'::regclass);
begin
  alter table approval drop constraint approval_kind;
  execute format('alter table approval add constraint approval_kind check (%s or kind = ''fee.relief'')', kinds);
end $$;
alter table approval add constraint approval_subject_relief check ((kind = 'fee.relief') = (fee_relief_id is not null));

-- Whether facts that a member of staff enters may lower fees: no account of theirs has the set accountant.
create function fee_states_facts(staff integer) returns boolean language sql stable as $$
  select staff is null or not exists (select from sign_in_account where staff_id = staff and 'accountant' = any(sets))
$$;

-- The first day for which a fact that is entered on a day lowers fees at once.
create function fee_facts_from(day date) returns date language sql immutable as $$
  select (date_trunc('month', day::timestamp) - interval '1 month')::date
$$;

-- Whether a second person approved a concession, or facts suggested its discount to the child.
create function fee_concession_is_decided(concession integer) returns boolean language sql stable as $$
  select exists (select from approval where fee_concession_id = concession and status = 'Approved')
    or exists (
      select from fee_concession own
      join fee_concession wish on (wish.student_id, wish.academic_year_id, wish.discount_id)
          = (own.student_id, own.academic_year_id, own.discount_id)
        and wish.source = 'Suggested' and not wish.is_end
      where own.id = concession)
$$;

create function fee_refuse_alone() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- A due has the day that its ledger says.
  update fee_due due set due_on = own.due_on
  from posted own
  join fee_plan_change change on change.id = own.change_id and change.kind = 'Due day'
  where own.due_id = due.id and own.amount > 0;
  if not fee_is_guarded() then return null; end if;

  if exists (select from posted where adjustment_id is not null and amount < 0
        and kind in ('Credit', 'Write-off', 'Waiver', 'Transfer')
        and not exists (select from approval where fee_adjustment_id = posted.adjustment_id and status = 'Approved'))
      or exists (select from posted where kind = 'Refund' and reverses_id is null
        and not exists (select from approval where fee_refund_id = posted.refund_id and status = 'Approved'))
      or exists (select from posted where amount < 0 and change_id is null and adjustment_id is null
        and kind in ('Charge', 'Pro-rata', 'Concession', 'Credit', 'Write-off', 'Waiver', 'Debit', 'Fine')) then
    raise exception 'nobody lowers fees alone' using errcode = '23514', constraint = 'fee_lowered_alone';
  end if;

  if exists (
    select from (
      select change_id, max(entry_date) as day,
        coalesce(sum(amount) filter (where kind <> 'Concession'), 0) as prices,
        coalesce(sum(amount) filter (where kind <> 'Concession' and due_on <= entry_date), 0) as prices_now
      from posted
      where change_id is not null and adjustment_id is null and kind in ('Charge', 'Pro-rata', 'Concession', 'Credit')
      group by change_id
      having sum(amount) < 0 or sum(amount) filter (where due_on <= entry_date) < 0) as fall
    join fee_plan_change change on change.id = fall.change_id
    where not coalesce(case
      when change.kind = 'Concession' then change.authority in ('Terms', 'Decided')
        and fall.prices >= 0 and fall.prices_now >= 0
        and not exists (select from posted own where own.change_id = change.id and own.kind = 'Concession'
          group by own.concession_id having sum(own.amount) < 0 and not fee_concession_is_decided(own.concession_id))
      when change.authority = 'Decided' then exists (
        select from approval join fee_relief relief on relief.id = approval.fee_relief_id
        where approval.id = change.approval_id and approval.status = 'Approved'
          and (relief.plan_id, relief.kind) = (change.plan_id, change.kind))
      when change.authority = 'Price' then change.kind = 'Prices'
        and exists (select from fee_plan_stage where change_id = change.id)
        and not exists (select from fee_plan_stage stage join fee_structure structure on structure.id = stage.structure_id
          where stage.change_id = change.id and structure.published_by is not distinct from change.staff_id)
      when change.authority = 'Fact' then
        change.kind in ('Left', 'Back', 'Grade', 'Category', 'Branch', 'Transport', 'Withdrawn')
        and fee_states_facts(change.staff_id)
        and (change.staff_id is null or change.effective_from >= fee_facts_from(fall.day))
      when change.authority = 'Choice' then change.kind = 'Option'
        and not exists (select from posted own join fee_due due on due.id = own.due_id
          where own.change_id = change.id and own.amount < 0 and least(due.period_from, due.due_on) <= own.entry_date)
      when change.authority = 'Undo' then change.kind = 'Withdrawn'
        and exists (select from fee_plan_change made where made.id = change.undoes_id and made.kind = 'Made'
          and made.plan_id = change.plan_id and made.staff_id = change.staff_id)
        and not exists (select from fee_plan_change other where other.plan_id = change.plan_id
          and other.staff_id <> change.staff_id)
        and not exists (select from fee_ledger_entry entry join fee_due due on due.id = entry.due_id
          where due.plan_id = change.plan_id
            and (entry.entry_date <> fall.day or entry.kind not in ('Charge', 'Pro-rata', 'Concession')))
      end, false)) then
    raise exception 'nobody lowers fees alone' using errcode = '23514', constraint = 'fee_lowered_alone';
  end if;

  -- A due that is not due yet moves once, by 14 days at most; the rest is decided.
  if exists (
    select from posted own
    join fee_plan_change change on change.id = own.change_id and change.kind = 'Due day' and change.authority <> 'Decided'
    group by own.due_id, change.id
    having max(own.due_on) - min(own.due_on) > 14
      or exists (select from fee_ledger_entry entry join fee_plan_change moved on moved.id = entry.change_id
        where entry.due_id = own.due_id and moved.kind = 'Due day' and moved.id <> change.id)) then
    raise exception 'nobody moves a due day far alone' using errcode = '23514', constraint = 'fee_lowered_alone';
  end if;
  return null;
end $$;
revoke execute on function fee_refuse_alone() from public;
create trigger authority after insert on fee_ledger_entry referencing new table as posted
  for each statement execute function fee_refuse_alone();
revoke update (due_on) on fee_due from shala_app;
