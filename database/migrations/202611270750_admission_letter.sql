-- The words of the letters to families, slots that are cancelled, what a child scored, and waived admission fees
-- (docs/decisions/0186-letters-are-frozen-words.md).

create table admission_letter (
  kind     text primary key check (kind in ('Offer', 'Waitlist', 'Reject')),
  subject  text not null check (length(subject) between 1 and 150),
  body     text not null check (length(body) between 1 and 4000),
  version  integer not null default 1
);
grant select, update on admission_letter to shala_app;
insert into admission_letter (kind, subject, body) values
  ('Offer', 'Offer of a place in {grade}', 'Dear parents,

We are glad to offer {child} a place in {grade} for the academic year {year}.

Please confirm the place by {replyBy}. The admission fee is {amount}.

{conditions}'),
  ('Waitlist', 'Waiting list for {grade}', 'Dear parents,

All places in {grade} for the academic year {year} are given at present. {child} is on the waiting list.

We will write to you as soon as a place is free. You need not do anything until then.'),
  ('Reject', 'Your application for {grade}', 'Dear parents,

Thank you for the application of {child} for {grade} in the academic year {year}. We are sorry that we can’t offer a place.

We wish {child} all the best.');

-- A cancelled slot has no assessors, and its room is free for others.
alter table admission_slot
  add column cancelled_at timestamptz,
  drop constraint admission_slot_room,
  add constraint admission_slot_room exclude using gist (room_id with =, during with &&)
    where (room_id is not null and cancelled_at is null);
grant update (cancelled_at) on admission_slot to shala_app;

-- A letter is set from its frozen words whenever it is opened.
alter table admission_decision drop column letter_file_id;

alter table approval add column admission_inquiry_id integer references admission_inquiry;
create unique index approval_admission_inquiry on approval (admission_inquiry_id) where status = 'Pending';
create index on approval (admission_inquiry_id);
-- Each kind is added to those that are known by then, whichever migration runs first.
do $$
declare
  kinds text := (select pg_get_expr(conbin, conrelid) from pg_constraint
    where conname = 'approval_kind' and conrelid = 'approval'::regclass);
begin
  alter table approval drop constraint approval_kind;
  execute format('alter table approval add constraint approval_kind check (%s or kind = ''admission.fee-waiver'')', kinds);
end $$;
alter table approval add constraint approval_subject_admission
  check ((kind = 'admission.fee-waiver') = (admission_inquiry_id is not null));
