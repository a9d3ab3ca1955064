-- Requests to start, change or stop a ride from a day. An approved one is written at once as dated rides, so that it holds
-- its seat.

create table transport_stop_change (
  id                  integer generated always as identity primary key,
  request_no          text not null,
  student_id          integer references student,
  staff_id            integer references staff,
  action              text not null check (action in ('Start', 'Change', 'Stop')),
  pickup_trip_id      integer references transport_trip,
  pickup_stop_id      integer references transport_stop,
  drop_trip_id        integer references transport_trip,
  drop_stop_id        integer references transport_stop,
  effective_from      date not null,
  reason              text not null check (length(reason) between 1 and 300),
  requested_by        integer not null references staff,
  requested_at        timestamptz not null,
  -- The ride that it changed, with its last day before.
  from_assignment_id  integer,
  former_to           date,
  made_assignment_id  integer,
  outcome             text check (outcome in ('Approved', 'Rejected', 'Withdrawn', 'Cancelled')),
  version             integer not null default 1,
  constraint transport_stop_change_rider check (num_nonnulls(student_id, staff_id) = 1),
  constraint transport_stop_change_ride check ((action = 'Stop') = (num_nonnulls(pickup_trip_id, drop_trip_id) = 0)),
  check ((pickup_trip_id is null) = (pickup_stop_id is null)),
  check ((drop_trip_id is null) = (drop_stop_id is null))
);
create unique index transport_stop_change_request_no_unique on transport_stop_change (request_no);
-- One open request of a rider.
create unique index transport_stop_change_open on transport_stop_change (coalesce(student_id, -staff_id))
  where outcome is null;
create index on transport_stop_change (student_id);
create index on transport_stop_change (staff_id);
create index on transport_stop_change (pickup_trip_id);
create index on transport_stop_change (drop_trip_id);
create index on transport_stop_change (pickup_stop_id);
create index on transport_stop_change (drop_stop_id);
create index on transport_stop_change (requested_by);
create index on transport_stop_change (effective_from);

insert into number_series (code, prefix, pattern, reset_on, is_gapless)
  values ('stop-change', 'SC', '{prefix}{seq:5}', 'never', false);

alter table approval add column transport_stop_change_id integer references transport_stop_change;
create unique index approval_transport_stop_change on approval (transport_stop_change_id) where status = 'Pending';
create index on approval (transport_stop_change_id);

-- The words of the kinds before stay as they are, whichever they are.
do $$
declare
  kinds text := (select pg_get_expr(conbin, conrelid) from pg_constraint
    where conname = 'approval_kind' and conrelid = 'approval'::regclass);
  subjects text := (select pg_get_expr(conbin, conrelid) from pg_constraint
    where conname = 'approval_subject' and conrelid = 'approval'::regclass);
begin
  alter table approval drop constraint approval_kind, drop constraint approval_subject;
  execute format('alter table approval add constraint approval_kind check (%s or kind = ''transport.stop-change'')', kinds);
  execute format('alter table approval add constraint approval_subject check (%s
    and ((kind = ''transport.stop-change'') = (transport_stop_change_id is not null)))', subjects);
end $$;

grant select, insert, update on transport_stop_change to shala_app;
