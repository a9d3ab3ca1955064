-- A run that sends to families waits until this moment, so that it can be undone; null where it begins at once.
alter table run add column begins_at timestamptz;

create or replace function queue_run(run integer) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform graphile_worker.add_job('run', json_build_object('id', run),
    max_attempts := 20, job_key := 'run:' || run, job_key_mode := 'replace',
    run_at := (select stored.begins_at from public.run as stored where stored.id = queue_run.run));
end $$;

-- Reminders of a correction that the family has not answered.
alter table admission_correction
  add column reminders smallint not null default 0 check (reminders between 0 and 10),
  add column reminded_at timestamptz;
