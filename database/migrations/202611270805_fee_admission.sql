-- The admission fee is a payment with receipts, an advance of the applicant (docs/decisions/0182-admission-fee-as-advance.md).

alter table admission_payment add column fee_payment_id integer unique references fee_payment;
grant insert (fee_payment_id) on admission_payment to shala_app;

-- As before, but that a transfer may go from one account to another: from an applicant to a student who had left.
create or replace function fee_post() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from academic_year where status = 'Closed'
      and id in (select academic_year_id from posted where kind in ('Charge', 'Pro-rata', 'Concession'))) then
    raise exception 'the academic year is closed' using errcode = '23514', constraint = 'academic_year_is_closed';
  end if;
  if exists (select from posted where entry_date <= fee_closed_until()) then
    raise exception 'the books are closed' using errcode = '23514', constraint = 'fee_books_closed';
  end if;
  if exists (select from posted where kind in ('Applied', 'Transfer') group by kind,
      case kind when 'Applied' then account_id end, case kind when 'Applied' then receipt_series_id end
      having sum(amount) <> 0) then
    raise exception 'advance is moved, never made' using errcode = '23514', constraint = 'fee_ledger_entry_moved';
  end if;
  if exists (select from posted undoing join fee_ledger_entry undone on undone.id = undoing.reverses_id
      where undone.receipt_series_id <> undoing.receipt_series_id
        or undone.receipt_id is distinct from undoing.receipt_id) then
    raise exception 'a reversal has the series and receipt of its entry' using errcode = '23514',
      constraint = 'fee_ledger_entry_reversal';
  end if;
  if exists (select from (select distinct receipt_id from posted where receipt_id is not null and reverses_id is null) as own
      join fee_receipt receipt on receipt.id = own.receipt_id
      where receipt.amount <> -(select sum(entry.amount) from fee_ledger_entry entry
          where entry.receipt_id = receipt.id and entry.reverses_id is null))
    or exists (select from posted join fee_receipt receipt on receipt.id = posted.receipt_id
      where (receipt.account_id, receipt.receipt_series_id) <> (posted.account_id, posted.receipt_series_id))
    or exists (select from posted join fee_receipt receipt on receipt.id = posted.receipt_id
      join fee_payment payment on payment.id = receipt.payment_id
      where (posted.reverses_id is null) = (payment.ended_as is not null)) then
    raise exception 'the entries are not those of the receipt' using errcode = '23514', constraint = 'fee_receipt_entries';
  end if;
  perform from fee_account where id in (select account_id from posted) order by id for no key update;
  update fee_due due set gross = due.gross + part.charged, pro_rata = due.pro_rata - part.pro_rata,
    concession = due.concession - part.concession, adjusted = due.adjusted + part.adjusted, paid = due.paid - part.paid
  from (select due_id,
      coalesce(sum(amount) filter (where kind in ('Charge', 'Fine', 'Debit', 'Opening')), 0) as charged,
      coalesce(sum(amount) filter (where kind = 'Pro-rata'), 0) as pro_rata,
      coalesce(sum(amount) filter (where kind = 'Concession'), 0) as concession,
      coalesce(sum(amount) filter (where kind in ('Waiver', 'Credit', 'Write-off')), 0) as adjusted,
      coalesce(sum(amount) filter (where kind in ('Applied', 'Receipt', 'Refund', 'Transfer')), 0) as paid
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
