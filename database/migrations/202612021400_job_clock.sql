-- Jobs start by the machine's clock, also while the school's is moved for a rehearsal.
create function machine_time(at timestamptz) returns timestamptz language sql stable
  set search_path = pg_catalog, pg_temp as $$ select at - (public.school_now() - now()) $$;
comment on function machine_time is 'A moment of the school''s clock by the machine''s; the same one unless the clock is moved.';

create or replace function queue_run(run integer) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform graphile_worker.add_job('run', json_build_object('id', run), queue_name := 'run',
    max_attempts := 20, job_key := 'run:' || run, job_key_mode := 'replace',
    run_at := (select public.machine_time(stored.begins_at) from public.run as stored where stored.id = queue_run.run));
end $$;

create or replace function queue_sending(message integer) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  -- One that is there already keeps its tries.
  perform graphile_worker.add_job('send-message', json_build_object('id', stored.id),
    queue_name := concat_ws(' ', case when stored.is_awaited then 'awaited' else 'later' end, stored.channel, stored.id % 2),
    priority := case when stored.is_awaited then -10 else 0 end, run_at := public.machine_time(stored.not_before),
    max_attempts := 20, job_key := 'message:' || stored.id, job_key_mode := 'unsafe_dedupe')
    from public.outbox as stored where stored.id = message;
end $$;

create or replace function defer_sending(message integer) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform graphile_worker.add_job('send-message', json_build_object('id', stored.id),
    queue_name := concat_ws(' ', case when stored.is_awaited then 'awaited' else 'later' end, stored.channel, stored.id % 2),
    priority := case when stored.is_awaited then -10 else 0 end, run_at := public.machine_time(stored.not_before),
    max_attempts := 20, job_key := 'message:' || stored.id, job_key_mode := 'replace')
    from public.outbox as stored where stored.id = message;
end $$;
