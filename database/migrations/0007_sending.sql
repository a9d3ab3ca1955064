-- Messages are sent by a job each. The jobs' tables are their library's, made and owned by the owner of this schema
-- (architecture.md decision 9); the application may only ask for the job of one of its messages.

alter table outbox drop constraint outbox_status_check;
alter table outbox
  -- A message that had nothing left to say when its turn came, such as a code that is too old, is expired.
  add constraint outbox_status_check check (status in ('queued', 'sent', 'failed', 'expired')),
  -- What went wrong the last time, in words that name nobody.
  add column last_error text check (length(last_error) <= 200),
  -- Whom it went to is forgotten with its text (decision 3).
  alter column recipient drop not null,
  add constraint outbox_recipient_check check (status <> 'queued' or recipient is not null);

create function queue_sending(message integer) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  -- One that is there already keeps its tries.
  perform graphile_worker.add_job('send-message', json_build_object('id', message),
    max_attempts := 20, job_key := 'message:' || message, job_key_mode := 'unsafe_dedupe');
end $$;
revoke execute on function queue_sending from public;
grant execute on function queue_sending to shala_app;
