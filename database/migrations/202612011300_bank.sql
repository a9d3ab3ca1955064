-- Deposit slips, and what banks say: the lines of their statements and what each is of.

-- Cheques that went to a bank account on one slip. A cheque that bounced may stand on a second one.
create table bank_deposit (
  id               integer generated always as identity primary key,
  bank_account_id  integer not null references fee_bank_account,
  day              date not null,
  slip_no          text not null check (length(slip_no) between 1 and 30),
  amount           bigint not null check (amount between 1 and 90000000000000),
  made_by          integer not null references staff,
  made_at          timestamptz not null default school_now(),
  unique (bank_account_id, slip_no, day)
);
create index on bank_deposit (made_by);
create index on bank_deposit (day, id);
create table bank_deposit_cheque (
  deposit_id  integer not null references bank_deposit,
  cheque_id   integer not null references fee_cheque,
  primary key (deposit_id, cheque_id)
);
create index on bank_deposit_cheque (cheque_id);
grant select, insert on bank_deposit, bank_deposit_cheque to shala_app;

create table bank_line (
  id               integer generated always as identity primary key,
  bank_account_id  integer not null references fee_bank_account,
  day              date not null,
  narration        text not null check (length(narration) between 1 and 500),
  reference        text not null default '' check (length(reference) <= 60),
  -- The words of letters and digits in both, by which a whole reference is found.
  tokens           text[] not null,
  credit           bigint not null check (credit between 0 and 90000000000000),
  debit            bigint not null check (debit between 0 and 90000000000000),
  balance          bigint,
  -- Which of several equal lines of a day it is.
  nth              smallint not null check (nth > 0),
  -- The days of the file by which it came: between them the bank has said everything.
  file_from        date not null,
  file_to          date not null,
  state            text not null default 'Open' check (state in ('Open', 'Matched', 'Differs', 'Set aside')),
  payment_id       integer unique references fee_payment,
  -- Several lines may make up one slip.
  deposit_id       integer references bank_deposit,
  cheque_id        integer references fee_cheque,
  refund_id        integer unique references fee_refund,
  -- Null where a rule matched it.
  matched_by       integer references staff,
  matched_at       timestamptz,
  note             text not null default '' check (length(note) <= 200),
  version          integer not null default 1,
  constraint bank_line_side check ((credit > 0) <> (debit > 0)),
  constraint bank_line_days check (day between file_from and file_to),
  constraint bank_line_of_one check (num_nonnulls(payment_id, deposit_id, cheque_id, refund_id)
    = case when state in ('Matched', 'Differs') then 1 else 0 end),
  constraint bank_line_differs check (state <> 'Differs' or payment_id is not null),
  constraint bank_line_note check (state <> 'Set aside' or note <> '')
);
create unique index bank_line_once on bank_line (bank_account_id, day, credit, debit, md5(narration), reference, coalesce(balance, 0), nth);
create index on bank_line (deposit_id);
create index on bank_line (cheque_id);
create index on bank_line (matched_by);
create index on bank_line (state, day, id);
create index on bank_line using gin (tokens) where state = 'Open';
grant select, insert, update, delete on bank_line to shala_app;

-- What a bank said stays as it was said.
create function bank_keep_line() returns trigger language plpgsql as $$
begin
  if (new.bank_account_id, new.day, new.narration, new.reference, new.tokens, new.credit, new.debit, new.balance, new.nth)
      is distinct from (old.bank_account_id, old.day, old.narration, old.reference, old.tokens, old.credit, old.debit,
        old.balance, old.nth) then
    raise exception 'a line of a statement does not change' using errcode = '23514', constraint = 'bank_line_kept';
  end if;
  return new;
end $$;
create trigger kept before update on bank_line for each row execute function bank_keep_line();

-- Whether a bank has shown the money of a payment, also before it was moved.
create function bank_saw(payment integer) returns boolean language sql stable as $$
  with recursive same (id, first) as (
    select id, reissue_of from fee_payment where id = payment
    union all select before.id, before.reissue_of from same join fee_payment before on before.id = same.first)
  select exists (select from bank_line join same on same.id = bank_line.payment_id)
$$;

-- The total of a day and mode that somebody compared with the machine or the app.
create table bank_day_tick (
  day        date not null,
  mode       text not null check (mode in ('UPI', 'Card')),
  amount     bigint not null check (amount >= 0),
  ticked_by  integer not null references staff,
  ticked_at  timestamptz not null default school_now(),
  primary key (day, mode)
);
create index on bank_day_tick (ticked_by);
grant select, insert, update, delete on bank_day_tick to shala_app;

-- As before, but that a bank gives a cheque credit and takes it back days later.
create or replace function fee_keep_cheque() returns trigger language plpgsql as $$
begin
  if (new.number, new.bank, new.dated_on, new.amount, new.student_id) <> (old.number, old.bank, old.dated_on, old.amount, old.student_id)
      or (old.status <> new.status and (old.status, new.status) not in (('Held', 'Deposited'), ('Held', 'Returned'),
        ('Received', 'Deposited'), ('Received', 'Returned'), ('Deposited', 'Cleared'), ('Deposited', 'Bounced'),
        ('Cleared', 'Bounced'), ('Bounced', 'Deposited'), ('Bounced', 'Returned'))) then
    raise exception 'a cheque goes its way' using errcode = '23514', constraint = 'fee_cheque_way';
  end if;
  return new;
end $$;
