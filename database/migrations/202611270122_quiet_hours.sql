-- A message may wait for a moment, and may keep the quiet hours: it is sent after them.
alter table outbox
  add column not_before timestamptz,
  add column keeps_quiet boolean not null default false;

create or replace function queue_sending(message integer) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  -- One that is there already keeps its tries.
  perform graphile_worker.add_job('send-message', json_build_object('id', stored.id),
    queue_name := concat_ws(' ', case when stored.is_awaited then 'awaited' else 'later' end, stored.channel, stored.id % 2),
    priority := case when stored.is_awaited then -10 else 0 end, run_at := stored.not_before,
    max_attempts := 20, job_key := 'message:' || stored.id, job_key_mode := 'unsafe_dedupe')
    from public.outbox as stored where stored.id = message;
end $$;

-- Sends a message at its moment instead of now; the job that asks for it ends.
create function defer_sending(message integer) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform graphile_worker.add_job('send-message', json_build_object('id', stored.id),
    queue_name := concat_ws(' ', case when stored.is_awaited then 'awaited' else 'later' end, stored.channel, stored.id % 2),
    priority := case when stored.is_awaited then -10 else 0 end, run_at := stored.not_before,
    max_attempts := 20, job_key := 'message:' || stored.id, job_key_mode := 'replace')
    from public.outbox as stored where stored.id = message;
end $$;
revoke execute on function defer_sending from public;
grant execute on function defer_sending to shala_app;
