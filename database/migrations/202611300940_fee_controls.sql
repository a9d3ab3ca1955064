-- A free seat for a child and a lower price of transport wait for a second person, as other terms of fees do.
alter table fee_proposal
  drop constraint fee_proposal_kind,
  add constraint fee_proposal_kind check (kind in ('Discount', 'Fee head', 'Late fine rule', 'Receipt series',
    'Bank account', 'Setting', 'Slab price', 'Free seat'));

-- One decision may lower several plans: those of the riders of a price.
drop index fee_plan_change_approval_once;
create unique index fee_plan_change_approval_once on fee_plan_change (approval_id, plan_id);

-- Whether a second person approved what a change of a plan lowers: the change itself, or what its child rides at.
create function fee_change_is_decided(change fee_plan_change) returns boolean language sql stable as $$
  select exists (
    select from approval
    left join fee_relief relief on relief.id = approval.fee_relief_id
    left join fee_proposal proposal on proposal.id = approval.fee_proposal_id
    where approval.id = change.approval_id and approval.status = 'Approved'
      and ((relief.plan_id, relief.kind) = (change.plan_id, change.kind)
        or (change.kind = 'Transport' and exists (
          select from fee_plan plan
          join fee_account account on account.id = plan.account_id
          join transport_assignment ride on ride.student_id = account.student_id
          where plan.id = change.plan_id
            and ((proposal.kind = 'Free seat' and proposal.subject_id = ride.id)
              or (proposal.kind = 'Slab price' and exists (
                select from transport_slab_price price
                join transport_stop stop on stop.slab_id = price.slab_id
                where price.id = proposal.subject_id and price.academic_year_id = plan.academic_year_id
                  and stop.id in (ride.pickup_stop_id, ride.drop_stop_id))))))))
$$;

-- Whether a price of a slab costs less than another one.
create function transport_price_falls(before transport_slab_price, after transport_slab_price) returns boolean
language sql immutable as $$
  select after.month_amount < before.month_amount or after.one_way_share < before.one_way_share
    or not after.months @> before.months or (before.is_active and not after.is_active)
    or (before.slab_id, before.academic_year_id) <> (after.slab_id, after.academic_year_id)
$$;

-- Whether a new price is at least that of the slab in the latest other year.
create function transport_price_is_usual(made transport_slab_price) returns boolean language sql stable as $$
  select coalesce((select not transport_price_falls(other.*, (made.id, other.academic_year_id, made.slab_id,
      made.month_amount, made.one_way_share, made.months, made.is_active, made.version)::transport_slab_price)
    from transport_slab_price other join academic_year year on year.id = other.academic_year_id
    where other.slab_id = made.slab_id and other.id <> made.id and other.is_active
    order by year.starts_on desc limit 1), false)
$$;

create function transport_refuse_lower_price() returns trigger language plpgsql security definer
  set search_path = public, pg_temp as $$
begin
  if not fee_is_guarded() then return null; end if;
  if tg_op = 'DELETE' then
    if exists (select from transport_assignment ride
        join transport_stop stop on stop.id in (ride.pickup_stop_id, ride.drop_stop_id) and stop.slab_id = old.slab_id
        join academic_year year on year.id = old.academic_year_id
        where ride.student_id is not null and ride.effective_from <= year.ends_on
          and coalesce(ride.effective_to, 'infinity') >= year.starts_on) then
      raise exception 'nobody lowers a price alone' using errcode = '23514', constraint = 'transport_price_lowered_alone';
    end if;
    return null;
  end if;
  if tg_op = 'UPDATE' then
    if not transport_price_falls(old, new) then return null; end if;
  elsif transport_price_is_usual(new) then return null;
  end if;
  if not exists (select from fee_proposal proposal join approval on approval.fee_proposal_id = proposal.id
      where proposal.kind = 'Slab price' and approval.status = 'Approved'
        and case when tg_op = 'UPDATE' then (proposal.subject_id, proposal.basis) = (new.id, old.version)
          else proposal.subject_id is null and (proposal.input->>'slabId')::integer = new.slab_id
            and (proposal.input->>'academicYearId')::integer = new.academic_year_id end) then
    raise exception 'nobody lowers a price alone' using errcode = '23514', constraint = 'transport_price_lowered_alone';
  end if;
  return null;
end $$;
revoke execute on function transport_refuse_lower_price() from public;
create trigger lowered after insert or update or delete on transport_slab_price
  for each row execute function transport_refuse_lower_price();

-- A child who rode free before rides free on.
create function transport_refuse_free_seat() returns trigger language plpgsql security definer
  set search_path = public, pg_temp as $$
begin
  if new.fee = 'By stop' or new.student_id is null or not fee_is_guarded() then return null; end if;
  if tg_op = 'UPDATE' and old.fee <> 'By stop' then return null; end if;
  if not exists (select from transport_assignment other where other.student_id = new.student_id and other.id <> new.id
        and other.fee = new.fee)
      and not exists (select from fee_proposal proposal join approval on approval.fee_proposal_id = proposal.id
        where proposal.kind = 'Free seat' and proposal.subject_id = new.id and approval.status = 'Approved') then
    raise exception 'nobody gives a free seat alone' using errcode = '23514', constraint = 'transport_free_alone';
  end if;
  return null;
end $$;
revoke execute on function transport_refuse_free_seat() from public;
create trigger free_seat after insert or update of fee on transport_assignment
  for each row execute function transport_refuse_free_seat();

-- As before, save for what a decision may lower and the first day of prices.
create or replace function fee_refuse_alone() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
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
      when change.authority = 'Decided' then fee_change_is_decided(change)
      when change.authority = 'Price' then change.kind = 'Prices'
        and exists (select from fee_plan_stage where change_id = change.id)
        and not exists (select from fee_plan_stage stage join fee_structure structure on structure.id = stage.structure_id
          where stage.change_id = change.id and (structure.published_by is not distinct from change.staff_id
            or structure.valid_from > change.effective_from))
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

-- Plans are priced again at a version from its first day at the earliest; null for prices of the whole year.
alter table fee_structure add column valid_from date;

-- A due is refundable or not from the day it is made: the head decides on later dues only.
alter table fee_due add column is_refundable boolean not null default false;
update fee_due due set is_refundable = true from fee_head head where head.id = due.fee_head_id and head.is_refundable;
create or replace function fee_keep_late_rule() returns trigger language plpgsql as $$
begin
  new.is_refundable := coalesce((select is_refundable from fee_head where id = new.fee_head_id), false);
  if new.kind in ('Plan', 'Extra') then
    new.late_rule_id := (select fine_rule_id from fee_head where id = new.fee_head_id);
  end if;
  return new;
end $$;
-- The day from which fines count is set when a due is made.
revoke update (fine_from) on fee_due from shala_app;
