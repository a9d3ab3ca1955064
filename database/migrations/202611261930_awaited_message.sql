-- A person waits for a code or a link of their own, so its job goes first and in a queue of its own. A queue works on one
-- job at a time: neither a run, nor the messages of one, nor a channel that hangs takes all workers.

alter table outbox add column is_awaited boolean not null default false;

create or replace function queue_sending(message integer) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  -- One that is there already keeps its tries.
  perform graphile_worker.add_job('send-message', json_build_object('id', stored.id),
    queue_name := concat_ws(' ', case when stored.is_awaited then 'awaited' else 'later' end, stored.channel, stored.id % 2),
    priority := case when stored.is_awaited then -10 else 0 end,
    max_attempts := 20, job_key := 'message:' || stored.id, job_key_mode := 'unsafe_dedupe')
    from public.outbox as stored where stored.id = message;
end $$;

create or replace function queue_run(run integer) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform graphile_worker.add_job('run', json_build_object('id', run), queue_name := 'run',
    max_attempts := 20, job_key := 'run:' || run, job_key_mode := 'replace',
    run_at := (select stored.begins_at from public.run as stored where stored.id = queue_run.run));
end $$;
