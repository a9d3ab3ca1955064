-- What is wrong and urgent, a row for each kind; Admins were told of it at told_at.
create table alert (
  id       integer generated always as identity primary key,
  name     text not null unique check (length(name) between 1 and 60),
  text     jsonb not null,
  began_at timestamptz not null,
  told_at  timestamptz,
  -- Since when it is not found; after some minutes it has ended.
  gone_at  timestamptz,
  ended_at timestamptz,
  -- What the address of the operator still has to get.
  post     text check (post in ('began', 'lasts', 'ended'))
);
grant select, insert, update, delete on alert to shala_app;

-- The application may not read the jobs' own schema: these functions are all that it sees of it. They are PL/pgSQL,
-- since that schema is made after the migrations.

-- Jobs that have failed at least once, the newest first; only those before a job, unless it is null.
create function failed_jobs(before bigint, most integer) returns table (
  id bigint, kind text, subject_id integer, tries integer, most_tries integer, error text, run_at timestamptz, is_running boolean
)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query select job.id, task.identifier, (job.payload ->> 'id')::integer, job.attempts::integer, job.max_attempts::integer,
      left(split_part(coalesce(job.last_error, ''), E'\n', 1), 200), job.run_at, job.locked_at is not null
    from graphile_worker._private_jobs as job join graphile_worker._private_tasks as task on task.id = job.task_id
    where job.attempts > 0 and job.last_error is not null and (before is null or job.id < before)
    order by job.id desc limit most;
end $$;

-- The number of jobs of each kind, and how many of them failed at least once, or are running.
create function count_jobs() returns table (kind text, waiting integer, running integer, failed integer)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query select task.identifier, (count(*) filter (where job.locked_at is null))::integer,
      (count(*) filter (where job.locked_at is not null))::integer,
      (count(*) filter (where job.attempts > 0 and job.last_error is not null))::integer
    from graphile_worker._private_jobs as job join graphile_worker._private_tasks as task on task.id = job.task_id
    group by task.identifier;
end $$;

-- Locks a job that has failed; 'running' while a worker holds it, 'gone' where it has ended.
create function lock_failed_job(job bigint, out state text, out kind text, out subject_id integer)
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  is_held boolean;
begin
  select stored.locked_at is not null, task.identifier, (stored.payload ->> 'id')::integer into is_held, kind, subject_id
    from graphile_worker._private_jobs as stored join graphile_worker._private_tasks as task on task.id = stored.task_id
    where stored.id = job and stored.attempts > 0 and stored.last_error is not null
    for update of stored;
  state := case when not found then 'gone' when is_held then 'running' else 'waiting' end;
end $$;

-- Makes a locked job due now, with one more try where it has none left.
create function try_job(job bigint) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform graphile_worker.reschedule_jobs(array[job], run_at := now(), attempts := least(stored.attempts, stored.max_attempts - 1))
    from graphile_worker._private_jobs as stored where stored.id = job;
end $$;

-- Removes a locked job.
create function remove_job(job bigint) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform graphile_worker.complete_jobs(array[job]);
end $$;

revoke execute on function failed_jobs, count_jobs, lock_failed_job, try_job, remove_job from public;
grant execute on function failed_jobs, count_jobs, lock_failed_job, try_job, remove_job to shala_app;
