-- What decides whether a child owes less is decided by a second person: the change as it was typed, kept until then.
create table fee_proposal (
  id          integer generated always as identity primary key,
  kind        text not null check (kind in ('Discount')),
  -- Null for a new one.
  subject_id  integer,
  name        text not null check (length(name) between 1 and 120),
  input       jsonb not null,
  -- What changes: label, before, after.
  lines       jsonb not null check (jsonb_typeof(lines) = 'array'),
  -- The version of the subject when it was asked.
  basis       integer not null default 0,
  asked_by    integer not null references staff,
  asked_at    timestamptz not null,
  status      text not null default 'Asked' check (status in ('Asked', 'Done', 'Rejected', 'Withdrawn')),
  version     integer not null default 1,
  constraint fee_proposal_basis check ((subject_id is null) = (basis = 0))
);
create unique index fee_proposal_once on fee_proposal (kind, subject_id) where status = 'Asked';
create index on fee_proposal (asked_by);

create function fee_keep_decided_proposal() returns trigger language plpgsql as $$
begin
  if old.status <> 'Asked' then
    raise exception 'a decided proposal does not change' using errcode = '23514', constraint = 'fee_proposal_decided';
  end if;
  return new;
end $$;
create trigger decided before update on fee_proposal for each row execute function fee_keep_decided_proposal();
grant select, insert, update (status, version) on fee_proposal to shala_app;

-- Until the first receipt one person sets the school up; the terms are guarded after it.
create function fee_is_guarded() returns boolean language sql stable as $$ select exists (select from fee_receipt) $$;

alter table approval add column fee_proposal_id integer references fee_proposal;
create unique index approval_fee_proposal on approval (fee_proposal_id) where status = 'Pending';
create index on approval (fee_proposal_id);
do $$
declare
  kinds text := (select pg_get_expr(conbin, conrelid) from pg_constraint
    where conname = 'approval_kind' and conrelid = 'approval'::regclass);
begin
  alter table approval drop constraint approval_kind;
  execute format('alter table approval add constraint approval_kind check (%s or kind = ''fee.terms'')', kinds);
end $$;
alter table approval add constraint approval_subject_proposal
  check ((kind = 'fee.terms') = (fee_proposal_id is not null));
