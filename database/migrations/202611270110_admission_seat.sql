-- The seats of a year by branch, program, grade and quota. The count of given seats is kept by a trigger and bounded by a
-- check, so that no act can give a seat that does not exist (docs/decisions/0152-seats-are-counted-by-the-database.md).

create table admission_seat (
  id                integer generated always as identity primary key,
  academic_year_id  integer not null references academic_year,
  branch_id         integer not null references academic_branch,
  program_id        integer not null references academic_program,
  grade_id          integer not null references academic_grade,
  quota             text not null check (quota in ('General', 'RTE', 'Staff', 'Management', 'Sibling')),
  total             smallint not null check (total between 0 and 2000),
  -- Kept for children of the school, who come from the grade below.
  reserved          smallint not null default 0 check (reserved >= 0),
  taken             smallint not null default 0 check (taken >= 0),
  interaction       text not null default 'None' check (interaction in ('None', 'Interaction', 'Assessment')),
  admission_fee     bigint not null default 0 check (admission_fee between 0 and 10000000000),
  offer_days        smallint not null default 7 check (offer_days between 1 and 60),
  opens_on          date,
  closes_on         date,
  version           integer not null default 1,
  constraint admission_seat_days check (closes_on >= opens_on),
  constraint admission_seat_not_oversold check (taken <= total - reserved),
  -- RTE Act, sections 12 and 13: no screening and no fee.
  constraint admission_seat_rte check (quota <> 'RTE' or (interaction = 'None' and admission_fee = 0)),
  constraint admission_seat_once unique (academic_year_id, branch_id, program_id, grade_id, quota),
  constraint admission_seat_place unique (id, academic_year_id, branch_id, program_id, grade_id, quota)
);
create index on admission_seat (branch_id);
create index on admission_seat (program_id);
create index on admission_seat (grade_id);
create trigger closed_year before insert or update or delete on admission_seat
  for each row execute function academic_refuse_closed_year();
grant select, insert, delete on admission_seat to shala_app;
grant update (academic_year_id, branch_id, program_id, grade_id, quota, total, reserved, interaction, admission_fee,
  offer_days, opens_on, closes_on, version) on admission_seat to shala_app;

alter table academic_lookup
  drop constraint academic_lookup_kind_check,
  add constraint academic_lookup_kind_check check (kind in ('Language', 'Nationality', 'Religion', 'Caste category',
    'Blood group', 'Lead source', 'Relation', 'Document', 'Student category', 'Leaving reason', 'Reason lost',
    'Reason withdrawn', 'Reason not offered'));
insert into academic_lookup (kind, is_system, name)
select 'Reason not offered', is_system, unnest(names) from (values
  (false, array['No seat', 'Age', 'Documents', 'Interaction', 'No answer from the family']),
  (true, array['Other'])
) as given (is_system, names);

-- What the school decides about an application. It is held until it is released to the family, or cancelled.
create table admission_decision (
  id                 integer generated always as identity primary key,
  inquiry_id         integer not null references admission_inquiry,
  kind               text not null check (kind in ('Offer', 'Waitlist', 'Reject')),
  seat_id            integer references admission_seat,
  from_state         text not null,
  waitlist_position  integer,
  conditions         text not null default '' check (length(conditions) <= 1000),
  reason_id          integer references academic_lookup,
  remark             text not null default '' check (length(remark) <= 500),
  -- The last day for the family's answer, when it was typed by hand.
  offer_until        date,
  decided_by         integer not null references staff,
  decided_at         timestamptz not null,
  released_at        timestamptz,
  cancelled_at       timestamptz,
  letter             jsonb,
  letter_file_id     uuid references file,
  constraint admission_decision_of_inquiry unique (id, inquiry_id, kind),
  check ((letter is null) = (released_at is null)),
  check (released_at is null or cancelled_at is null),
  check (kind = 'Reject' or seat_id is not null)
);
create unique index admission_decision_held on admission_decision (inquiry_id)
  where released_at is null and cancelled_at is null;
create index on admission_decision (inquiry_id);
create index on admission_decision (seat_id);
create index on admission_decision (reason_id);
create index on admission_decision (decided_by);
create index on admission_decision (letter_file_id);
grant select, insert on admission_decision to shala_app;
grant update (waitlist_position, released_at, cancelled_at, letter, letter_file_id) on admission_decision to shala_app;

alter table admission_inquiry
  drop constraint admission_inquiry_state_check,
  add constraint admission_inquiry_state_check check (state in ('New', 'Form sent', 'In progress', 'Submitted',
    'Under review', 'Correction requested', 'Verified', 'Interaction planned', 'Interaction done', 'Waitlisted', 'Offered',
    'Seat confirmed', 'Admitted', 'Offer expired', 'Rejected', 'Withdrawn', 'Lost')),
  add column seat_id integer,
  add column seat_quota text,
  add column waitlist_position integer,
  add column held_kind text check (held_kind in ('Offer', 'Waitlist', 'Reject')),
  add column held_decision_id integer,
  add column offer_expires_on date,
  add column seat_freed_on date,
  add column interaction_waived_reason text not null default '' check (length(interaction_waived_reason) <= 300),
  add column student_id integer constraint admission_inquiry_student unique references student,
  add constraint admission_inquiry_seat foreign key (seat_id, academic_year_id, branch_id, program_id, grade_id, seat_quota)
    references admission_seat (id, academic_year_id, branch_id, program_id, grade_id, quota),
  add constraint admission_inquiry_seat_quota check ((seat_id is null) = (seat_quota is null)
    and (seat_quota is null or (seat_quota in ('General', quota) and (seat_quota = 'RTE') = (quota = 'RTE')))),
  add constraint admission_inquiry_held foreign key (held_decision_id, id, held_kind)
    references admission_decision (id, inquiry_id, kind),
  add constraint admission_inquiry_held_whole check ((held_kind is null) = (held_decision_id is null)),
  add constraint admission_inquiry_waits check
    ((waitlist_position is not null) = (state = 'Waitlisted' or coalesce(held_kind = 'Waitlist', false))),
  add constraint admission_inquiry_rank unique (seat_id, waitlist_position) deferrable initially deferred,
  add constraint admission_inquiry_offer_ends check
    (state not in ('Offered', 'Seat confirmed') or offer_expires_on is not null),
  add constraint admission_inquiry_child check ((state = 'Admitted') = (student_id is not null));
-- In a statement of its own: it needs the columns above.
alter table admission_inquiry
  add column holds_seat boolean not null generated always as (coalesce(held_kind = 'Offer', false)
    or state in ('Offered', 'Seat confirmed') or (state = 'Admitted' and seat_freed_on is null)) stored,
  add constraint admission_inquiry_holds check (not holds_seat or seat_id is not null);
create index admission_inquiry_process on admission_inquiry (academic_year_id, state, id);
create index on admission_inquiry (seat_id, state);
create index on admission_inquiry (held_decision_id);
create index admission_inquiry_expiring on admission_inquiry (offer_expires_on) where state = 'Offered';

-- Counts a seat as given or free again. The rows are locked in the order of their ids before the count changes, so that
-- acts which meet at a row wait for each other.
create function admission_count_seat() returns trigger language plpgsql security definer
  set search_path = public, pg_temp as $$
declare
  freed integer := case when tg_op <> 'INSERT' and old.holds_seat then old.seat_id end;
  given integer := case when tg_op <> 'DELETE' and new.holds_seat then new.seat_id end;
begin
  if freed is not distinct from given then return null; end if;
  perform from admission_seat where id in (freed, given) order by id for no key update;
  update admission_seat set taken = taken + (id is not distinct from given)::integer
    - (id is not distinct from freed)::integer where id in (freed, given);
  return null;
end $$;
create trigger count_seat after insert or update or delete on admission_inquiry
  for each row execute function admission_count_seat();

-- What a family pays for its seat. A reference is used once among payments that are not reversed.
create table admission_payment (
  id              integer generated always as identity primary key,
  inquiry_id      integer not null references admission_inquiry,
  slip_no         text not null constraint admission_payment_slip unique,
  amount          bigint not null check (amount > 0),
  mode            text not null check (mode in ('Cash', 'UPI', 'Card', 'Transfer', 'Cheque', 'DD')),
  reference       text not null default '' check (length(reference) <= 60),
  paid_on         date not null,
  taken_by        integer not null references staff,
  taken_at        timestamptz not null,
  reversed_at     timestamptz,
  reversed_by     integer references staff,
  reverse_reason  text not null default '' check (length(reverse_reason) <= 300),
  constraint admission_payment_referred check (mode = 'Cash' or reference <> ''),
  -- Income-tax Act, section 269ST.
  constraint admission_payment_cash check (mode <> 'Cash' or amount < 20000000),
  check ((reversed_at is null) = (reversed_by is null) and (reversed_at is null) = (reverse_reason = ''))
);
create unique index admission_payment_reference on admission_payment (mode, upper(reference))
  where reversed_at is null and reference <> '';
create unique index admission_payment_one on admission_payment (inquiry_id) where reversed_at is null;
create index on admission_payment (inquiry_id);
create index on admission_payment (taken_by);
create index on admission_payment (reversed_by);
grant select, insert on admission_payment to shala_app;
grant update (reversed_at, reversed_by, reverse_reason) on admission_payment to shala_app;

insert into number_series (code, prefix, pattern, reset_on, is_gapless)
  values ('admission-fee', 'ADM', '{prefix}/{FY}/{seq:5}', 'financialYear', true);

-- A year that was open for admission is so in the grades that have a section in it, or else in the current year, or an
-- open inquiry; with as many seats as the sections have, else 40.
insert into admission_seat (academic_year_id, branch_id, program_id, grade_id, quota, total)
select year.id, place.branch_id, place.program_id, place.grade_id, 'General', least(coalesce(
    (select nullif(sum(capacity), 0) from academic_section section where section.is_active
      and (section.academic_year_id, section.branch_id, section.program_id, section.grade_id)
        = (case when exists (select from academic_section own where own.is_active and own.academic_year_id = year.id)
             then year.id else (select id from academic_year where is_current) end,
           place.branch_id, place.program_id, place.grade_id)), 40), 2000)
from academic_year year
cross join lateral (
  select branch_id, program_id, grade_id from academic_section section where is_active
    and section.academic_year_id in (year.id, (select id from academic_year where is_current))
  union
  select branch_id, program_id, grade_id from admission_inquiry inquiry
  where inquiry.academic_year_id = year.id and state in ('New', 'Form sent', 'In progress')
) as place
where year.is_admission_open and year.status <> 'Closed';
