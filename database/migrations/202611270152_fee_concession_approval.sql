-- Concessions are decided by a second person, and suggestions may change or end one that a student has
-- (docs/decisions/0148-discounts-and-concessions.md).

alter table fee_concession
  add column replaces_id integer references fee_concession,
  add column is_end boolean not null default false,
  add check (not is_end or (status = 'Suggested' and replaces_id is not null));
create index on fee_concession (replaces_id);

alter table approval add column fee_concession_id integer references fee_concession;
create unique index approval_fee_concession on approval (fee_concession_id) where status = 'Pending';
create index on approval (fee_concession_id);
-- Each kind is added to those that are known by then, whichever migration runs first.
do $$
declare
  kinds text := (select pg_get_expr(conbin, conrelid) from pg_constraint
    where conname = 'approval_kind' and conrelid = 'approval'::regclass);
begin
  alter table approval drop constraint approval_kind;
  execute format('alter table approval add constraint approval_kind check (%s or kind = ''fee.concession'')', kinds);
end $$;
alter table approval add constraint approval_subject_concession
  check ((kind = 'fee.concession') = (fee_concession_id is not null));
