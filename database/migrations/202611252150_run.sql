-- Acts on many records that take long or send messages: each is a run, with a result for every record.

create table run (
  id           integer generated always as identity primary key,
  kind         text not null,
  -- Who started it; null where the school's daily work did.
  account_id   integer references sign_in_account,
  actor        text not null,
  input        jsonb not null,
  total        integer not null check (total > 0),
  started_at   timestamptz not null,
  finished_at  timestamptz
);
create index on run (account_id, id desc);

create table run_row (
  run_id      integer not null references run,
  subject_id  integer not null,
  name        text not null check (length(name) <= 200),
  status      text not null default 'Waiting' check (status in ('Waiting', 'Done', 'Skipped', 'Failed')),
  -- Why it was skipped or failed, as a text that the browser translates.
  reason      jsonb,
  primary key (run_id, subject_id),
  check ((reason is null) = (status in ('Waiting', 'Done')))
);
create index run_row_open on run_row (run_id, subject_id) where status = 'Waiting';
grant select, insert, update on run, run_row to shala_app;
grant delete on run_row, run to shala_app;

create function queue_run(run integer) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform graphile_worker.add_job('run', json_build_object('id', run),
    max_attempts := 20, job_key := 'run:' || run, job_key_mode := 'replace');
end $$;
revoke execute on function queue_run from public;
grant execute on function queue_run to shala_app;

-- The days on which a daily task has been done.
create table daily_task (
  name  text not null,
  day   date not null,
  primary key (name, day)
);
grant select, insert, delete on daily_task to shala_app;

alter table admission_inquiry
  add column link_sent_at timestamptz,
  add column reminders smallint not null default 0 check (reminders between 0 and 3),
  add column reminded_at timestamptz;
update admission_inquiry set link_sent_at = created_at where state <> 'New';
create index admission_inquiry_unfinished on admission_inquiry (link_sent_at) where state in ('Form sent', 'In progress');

alter table academic_school
  add column reminder_days smallint[] not null default '{2,5,10}'
    check (cardinality(reminder_days) <= 3 and array_position(reminder_days, null) is null
      and 1 <= all(reminder_days) and 60 >= all(reminder_days));
