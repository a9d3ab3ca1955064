-- Requests that a second person decides: prices of a year now, later corrections, leave, concessions and refunds
-- (docs/decisions/0143-approvals.md). Each kind's migration adds the column of its subject, a unique index on it where the
-- request is pending, and replaces approval_kind and approval_subject.

create table approval (
  id                integer generated always as identity primary key,
  kind              text not null constraint approval_kind check (kind in ('fee.structure')),
  fee_structure_id  integer references fee_structure on delete cascade,
  -- Null for the whole school.
  branch_id         integer references academic_branch,
  student_id        integer references student,
  title             jsonb not null,
  amount            bigint check (amount between -90000000000000 and 90000000000000),
  reason            text not null default '' check (length(reason) <= 500),
  requested_by      integer not null references staff,
  requested_at      timestamptz not null,
  status            text not null default 'Pending' check (status in ('Pending', 'Approved', 'Rejected', 'Withdrawn')),
  decided_by        integer references staff,
  decided_at        timestamptz,
  remark            text not null default '' check (length(remark) <= 500),
  version           integer not null default 1,
  constraint approval_subject check ((kind = 'fee.structure') = (fee_structure_id is not null)),
  check ((status = 'Pending') = (decided_at is null)),
  check ((decided_at is null) = (decided_by is null)),
  constraint approval_remark check (status <> 'Rejected' or remark <> ''),
  constraint approval_second_person check (status in ('Pending', 'Withdrawn') or decided_by <> requested_by)
);
create unique index approval_fee_structure on approval (fee_structure_id) where status = 'Pending';
create index on approval (fee_structure_id);
create index on approval (status, id);
create index on approval (requested_by, status);
create index on approval (decided_by);
create index on approval (student_id);
create index on approval (branch_id);

create function approval_keep_decided() returns trigger language plpgsql as $$
begin
  if old.status <> 'Pending' then
    raise exception 'a decided request does not change' using errcode = '23514', constraint = 'approval_decided';
  end if;
  return new;
end $$;
create trigger decided before update on approval for each row execute function approval_keep_decided();

grant select, insert, update (status, decided_by, decided_at, remark, version) on approval to shala_app;

-- A decision ends the unread notices of everyone who could have made it.
create index on notice (dedupe_key) where read_at is null;

-- Prices whose publishing was asked for do not change until it is decided.
alter table fee_structure drop constraint fee_structure_status_check;
alter table fee_structure add constraint fee_structure_status_check
  check (status in ('Draft', 'Asked', 'Published', 'Superseded'));
alter table fee_structure drop constraint fee_structure_check;
alter table fee_structure add constraint fee_structure_check
  check ((status in ('Draft', 'Asked')) = (published_at is null));

create or replace function fee_keep_published() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'fee_structure' then
    if tg_op = 'DELETE' then
      if old.status = 'Draft' then return old; end if;
    elsif old.status = 'Draft' then return new;
    -- A generated column has no value yet.
    elsif old.status = 'Asked' and new.status in ('Draft', 'Published')
        and to_jsonb(new) - '{status,version,category_key,published_by,published_at}'::text[]
          = to_jsonb(old) - '{status,version,category_key,published_by,published_at}'::text[] then
      return new;
    elsif old.status = 'Published' and new.status = 'Superseded'
        and to_jsonb(new) - '{status,version,category_key}'::text[]
          = to_jsonb(old) - '{status,version,category_key}'::text[] then
      return new;
    end if;
  elsif (select status from fee_structure where id = coalesce(new.structure_id, old.structure_id)) = 'Draft' then
    return coalesce(new, old);
  -- The structure is deleted with its lines and grades.
  elsif tg_op = 'DELETE' and not exists (select from fee_structure where id = old.structure_id) then
    return old;
  -- The status follows that of the structure.
  elsif tg_table_name = 'fee_structure_grade' and tg_op = 'UPDATE'
      and to_jsonb(new) -> 'grade_id' = to_jsonb(old) -> 'grade_id' then
    return new;
  end if;
  raise exception 'published prices do not change' using errcode = '23514', constraint = 'fee_structure_published';
end $$;
