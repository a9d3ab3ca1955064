-- Settings, each declared by the feature that obeys it. No row, or a row without a value, means the default.

create table setting (
  key         text primary key check (length(key) between 1 and 60),
  -- The number of its rows in the audit log.
  id          integer generated always as identity unique,
  value       jsonb check (value <> 'null'::jsonb and length(value::text) <= 1000),
  version     integer not null default 1,
  updated_at  timestamptz not null default now(),
  -- Null where this migration set it.
  updated_by  integer references staff
);
grant select, insert, update on setting to shala_app;

insert into setting (key, value)
select key, value from academic_school, lateral (values
  ('admission.link-days', to_jsonb(link_days), to_jsonb(60)),
  ('admission.asks-consent', to_jsonb(asks_consent), to_jsonb(true)),
  ('admission.reminder-days', to_jsonb(array(
    -- A setting holds each day once, in order; the column did not ask for that.
    select distinct day from unnest(reminder_days) as day order by day)), to_jsonb(array[2, 5, 10])),
  ('sign-in.asks-admin-code', to_jsonb(asks_admin_code), to_jsonb(true))
) as present (key, value, usual)
where value <> usual;

alter table academic_school
  drop column link_days,
  drop column asks_consent,
  drop column asks_admin_code,
  drop column reminder_days;

-- How many reminders a family gets at most is a setting.
alter table admission_inquiry
  drop constraint admission_inquiry_reminders_check,
  add constraint admission_inquiry_reminders_check check (reminders between 0 and 10);
