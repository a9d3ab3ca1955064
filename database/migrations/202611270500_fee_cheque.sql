-- The register of cheques and demand drafts. A cheque is a payment from the day it can be deposited; until then it is held and
-- is no money.

create table fee_cheque (
  id             integer generated always as identity primary key,
  student_id     integer not null references student,
  kind           text not null check (kind in ('Cheque', 'Demand draft')),
  number         text not null check (number ~ '^[0-9]{6}$'),
  bank           text not null check (length(bank) between 1 and 80),
  dated_on       date not null,
  amount         bigint not null check (amount between 1 and 90000000000000),
  payer_name     text not null check (length(payer_name) between 1 and 120),
  status         text not null check (status in ('Held', 'Received', 'Deposited', 'Cleared', 'Bounced', 'Returned')),
  received_on    date not null,
  received_by    integer not null references staff,
  -- The latest payment; that of a bounced cheque has ended.
  payment_id     integer references fee_payment,
  deposited_on   date,
  slip_no        text not null default '' check (length(slip_no) <= 30),
  ended_on       date,
  bounces        smallint not null default 0,
  reason         text not null default '' check (length(reason) <= 200),
  version        integer not null default 1,
  constraint fee_cheque_payment check (status in ('Held', 'Returned') or payment_id is not null),
  check ((status in ('Cleared', 'Bounced', 'Returned')) = (ended_on is not null)),
  check (status not in ('Bounced', 'Returned') or reason <> '')
);
create unique index fee_cheque_once on fee_cheque (number, lower(bank), dated_on, amount);
create index on fee_cheque (student_id);
create index on fee_cheque (received_by);
create index on fee_cheque (payment_id);
create index on fee_cheque (status, dated_on);

create function fee_keep_cheque() returns trigger language plpgsql as $$
begin
  if (new.number, new.bank, new.dated_on, new.amount, new.student_id) <> (old.number, old.bank, old.dated_on, old.amount, old.student_id)
      or (old.status <> new.status and (old.status, new.status) not in (('Held', 'Deposited'), ('Held', 'Returned'),
        ('Received', 'Deposited'), ('Received', 'Returned'), ('Deposited', 'Cleared'), ('Deposited', 'Bounced'),
        ('Bounced', 'Deposited'), ('Bounced', 'Returned'))) then
    raise exception 'a cheque goes its way' using errcode = '23514', constraint = 'fee_cheque_way';
  end if;
  return new;
end $$;
create trigger way before update on fee_cheque for each row execute function fee_keep_cheque();

grant select, insert (student_id, kind, number, bank, dated_on, amount, payer_name, status, received_on, received_by, payment_id),
  update (status, payment_id, deposited_on, slip_no, ended_on, bounces, reason, version) on fee_cheque to shala_app;
