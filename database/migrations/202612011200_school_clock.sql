-- Everything that the school's day decides follows the school's clock: defaults, conditions of triggers, the view of those
-- who left. Audit, sign-in, messages that are sent and their limits stay on the clock of the machine.
alter table academic_calendar alter updated_at set default school_now();
alter table academic_school alter updated_at set default school_now();
alter table admission_additional_info alter created_at set default school_now(), alter updated_at set default school_now();
alter table admission_basic_info alter created_at set default school_now(), alter updated_at set default school_now();
alter table admission_consent alter given_at set default school_now();
alter table admission_document alter created_at set default school_now();
alter table admission_draft alter saved_at set default school_now();
alter table admission_education alter created_at set default school_now();
alter table admission_follow_up alter contacted_at set default school_now();
alter table admission_health alter created_at set default school_now(), alter updated_at set default school_now();
alter table admission_inquiry alter created_at set default school_now();
alter table admission_language alter created_at set default school_now(), alter updated_at set default school_now();
alter table admission_message alter sent_at set default school_now();
alter table admission_parent_info alter created_at set default school_now(), alter updated_at set default school_now();
alter table attendance_register alter created_at set default school_now();
alter table data_correction alter done_at set default school_now();
alter table fee_adjustment alter asked_at set default school_now();
alter table fee_book alter at set default school_now();
alter table fee_concession alter created_at set default school_now();
alter table fee_difference alter found_at set default school_now();
alter table fee_follow_up alter at set default school_now();
alter table fee_ledger_entry alter created_at set default school_now();
alter table fee_opening alter imported_at set default school_now();
alter table fee_payment alter created_at set default school_now();
alter table fee_plan_change alter at set default school_now();
alter table fee_receipt_print alter at set default school_now();
alter table fee_refund alter asked_at set default school_now();
alter table file alter stored_at set default school_now();
alter table number_series alter updated_at set default school_now();
alter table set_up_skip alter at set default school_now();
alter table setting alter updated_at set default school_now();
alter table sms_template alter updated_at set default school_now();
alter table staff alter created_at set default school_now();
alter table student alter admitted_on set default (school_now()::date);
alter table student_certificate alter made_at set default school_now();
alter table student_certificate_copy alter printed_at set default school_now();
alter table student_gr_spent alter spent_at set default school_now();
alter table student_leaving alter decided_at set default school_now();

create or replace function attendance_begin_register() returns trigger language plpgsql as $$
declare
  work smallint;
begin
  if new.day > (school_now() at time zone 'Asia/Kolkata')::date then
    raise exception 'the day is to come' using errcode = '23514', constraint = 'attendance_register_future';
  end if;
  select days.work into work from academic_school_days(new.academic_year_id, new.day, new.day) as days
    where days.grade_id = new.grade_id;
  new.weight := attendance_weight(new.slot, coalesce(work, 0::smallint));
  if new.weight = 0 then
    raise exception 'no school on that day' using errcode = '23514', constraint = 'attendance_register_no_school';
  end if;
  return new;
end $$;

create or replace function attendance_keep_marks() returns trigger language plpgsql set enable_seqscan = off as $$
declare
  refused text;
  all_placed boolean;
  all_open boolean;
begin
  if tg_op = 'INSERT' then
    -- A transfer of one of these children waits, or is seen.
    perform 1 from student_enrollment enrollment
      where enrollment.student_id = any (array(select distinct student_id from changed))
        and enrollment.academic_year_id = any (array(select distinct academic_year_id from changed))
      order by enrollment.id for no key update;
    select bool_and(exists (
        select from student_section own
        join student_enrollment enrollment on enrollment.id = own.enrollment_id and enrollment.status <> 'Cancelled'
        where own.section_id = span.section_id and own.student_id = span.student_id
          and own.effective_from <= span.first and coalesce(own.effective_to, 'infinity') >= span.last)),
      bool_and(span.is_open)
    into all_placed, all_open
    from (
      select register.section_id, mark.student_id, min(mark.day) as first, max(mark.day) as last,
        bool_and(school_now() < register.locks_at or register.created_at = school_now()) as is_open
      from changed mark join attendance_register register on register.id = mark.register_id
      group by register.section_id, mark.student_id) as span;
    if not all_placed and exists (
        select from changed mark
        join attendance_register register on register.id = mark.register_id
        where not exists (
          select from student_section own
          join student_enrollment enrollment on enrollment.id = own.enrollment_id and enrollment.status <> 'Cancelled'
          where own.section_id = register.section_id and own.student_id = mark.student_id
            and mark.day between own.effective_from and coalesce(own.effective_to, 'infinity'))) then
      refused := 'attendance_mark_placed';
    elsif exists (
        select from changed mark
        join attendance_mark other on other.academic_year_id = mark.academic_year_id and other.student_id = mark.student_id
          and other.day = mark.day and other.half <> mark.half
        join attendance_register whole on whole.id in (mark.register_id, other.register_id) and whole.slot = 'Full day') then
      refused := 'attendance_mark_once';
    elsif not all_open and exists (
        select from changed mark
        join attendance_register register on register.id = mark.register_id
        where school_now() >= register.locks_at and register.created_at <> school_now() and not exists (
          select from attendance_correction correction
          where correction.register_id = mark.register_id and correction.student_id = mark.student_id
            and correction.new_code_id = mark.code_id and correction.applied_at = school_now())) then
      refused := 'attendance_mark_locked';
    end if;
  elsif exists (
      select from changed mark
      join before earlier on earlier.register_id = mark.register_id and earlier.student_id = mark.student_id
      join attendance_register register on register.id = mark.register_id
      where (earlier.code_id, earlier.arrived_at) is distinct from (mark.code_id, mark.arrived_at)
        and school_now() >= register.locks_at and register.created_at <> school_now() and not exists (
          select from attendance_correction correction
          where correction.register_id = mark.register_id and correction.student_id = mark.student_id
            and correction.new_code_id = mark.code_id and correction.applied_at = school_now())) then
    refused := 'attendance_mark_locked';
  end if;
  if refused is not null then
    raise exception 'a mark is refused: %', refused using errcode = '23514', constraint = refused;
  end if;
  return null;
end $$;

create or replace function attendance_undo(of_register integer, of_version integer)
  returns boolean language plpgsql security definer set search_path = public as $$
begin
  perform from attendance_register where id = of_register and version = of_version and version = 1 and school_now() < locks_at
    and not exists (select from attendance_correction where register_id = of_register) for update;
  if not found then return false; end if;
  delete from attendance_mark where register_id = of_register;
  delete from attendance_register where id = of_register;
  return true;
end $$;

create or replace function attendance_weigh(of_year integer, touched date[])
  returns void language plpgsql security definer set search_path = public as $$
begin
  update attendance_register register set weight = attendance_weight(register.slot, days.work)
    from (select min(day) as first, max(day) as last from unnest(touched) as day) as span
    cross join lateral academic_school_days(of_year, span.first, span.last) as days
    where register.academic_year_id = of_year and register.day = any (touched)
      and days.grade_id = register.grade_id and days.day = register.day
      and register.weight <> attendance_weight(register.slot, days.work);
  update attendance_register register
    set locks_at = attendance_locks_at(of_year, grade_id, day,
      extract(hour from locks_at at time zone 'Asia/Kolkata')::integer)
    where academic_year_id = of_year and locks_at > school_now();
end $$;

create or replace function close_outdated_messages() returns trigger language plpgsql as $$
declare
  contacts text[] := array[lower(new.father_email), lower(new.mother_email), new.father_mobile, new.mother_mobile];
begin
  update outbox set status = 'expired', recipient = null, last_error = 'Contact or link changed'
  where status = 'queued' and case
    when template in ('admission.link', 'admission.reminder', 'admission.correction', 'admission.correction-reminder',
        'admission.decision') then
      subject_id = new.id and (new.link_revoked_at is not null
        or not coalesce((version = new.link_version and new.link_expires_at > school_now())
          or (version = new.next_link_version and new.next_link_expires_at > school_now()), false)
        or not coalesce(lower(recipient) = any(contacts), false))
    when template = 'admission.submitted' then
      subject_id = new.id and not coalesce(lower(recipient) = any(contacts), false)
    when template = 'admission.reply' then
      subject_id in (select id from admission_message where inquiry_id = new.id)
        and not coalesce(lower(recipient) = any(contacts), false)
    else false end;
  return null;
end $$;

create or replace function end_family_link() returns trigger language plpgsql as $$
begin
  update family_link set revoked_at = school_now(), revoked_reason = 'Contact changed'
  where guardian_id = new.id and revoked_at is null;
  return null;
end $$;

create or replace function end_link_of_changed_contact() returns trigger language plpgsql as $$
begin
  new.link_expires_at := least(new.link_expires_at, school_now());
  new.next_link_hash := null;
  new.next_short_hash := null;
  new.next_link_key_id := null;
  new.next_link_version := null;
  new.next_link_expires_at := null;
  return new;
end $$;

create or replace function file_import_delete_added(import integer)
  returns integer language plpgsql security definer set search_path = public, pg_temp as $$
declare
  of_kind text;
  deleted integer := 0;
begin
  select kind into of_kind from file_import
    where id = import and undone_at is null and made_at > school_now() - interval '31 days' for update;
  if of_kind = '/staff/import' then
    delete from staff own using file_import_line line
      where line.import_id = import and line.was is null and line.record_id = own.id
        and line.left_as = md5((to_jsonb(own) - 'version' - 'position')::text);
    get diagnostics deleted = row_count;
  elsif of_kind = '/inquiry/import' then
    delete from admission_inquiry own using file_import_line line
      where line.import_id = import and line.was is null and line.record_id = own.id
        and line.left_as = md5((to_jsonb(own) - 'version' - 'position')::text);
    get diagnostics deleted = row_count;
  end if;
  return deleted;
end $$;

create or replace function staff_refuse_loop() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtext('staff_post'));
  if exists (
      with recursive way (id) as (
        select new.reports_to_id
        union
        select post.reports_to_id from way join staff_post post on post.staff_id = way.id
          and post.effective_from <= greatest(new.effective_from, school_now()::date)
          and coalesce(post.effective_to, 'infinity') >= greatest(new.effective_from, school_now()::date))
      select from way where id = new.staff_id) then
    raise exception 'reports to themselves' using errcode = '23514', constraint = 'staff_post_loop';
  end if;
  return null;
end $$;

create or replace function transport_keep_used() returns trigger language plpgsql as $$
declare
  today date := (school_now() at time zone 'Asia/Kolkata')::date;
  is_used boolean;
begin
  is_used := case tg_table_name
    when 'transport_vehicle' then exists (
      select from transport_duty where vehicle_id = new.id and coalesce(effective_to, 'infinity') >= today)
    when 'transport_crew' then exists (
      select from transport_duty where new.id in (driver_id, attendant_id) and coalesce(effective_to, 'infinity') >= today)
    when 'transport_time_slot' then exists (
      select from transport_duty where time_slot_id = new.id and coalesce(effective_to, 'infinity') >= today)
    when 'transport_stop' then exists (
      select from transport_route_stop stop join transport_route_plan plan on plan.id = stop.plan_id
      where stop.stop_id = new.id and coalesce(plan.effective_to, 'infinity') >= today)
    when 'transport_route' then exists (
      select from transport_trip trip join transport_duty duty on duty.trip_id = trip.id
      where trip.route_id = new.id and coalesce(duty.effective_to, 'infinity') >= today)
  end;
  if is_used then
    raise exception 'trips use this' using errcode = '23514', constraint = 'transport_used';
  end if;
  return null;
end $$;

create or replace function transport_require_papers() returns trigger language plpgsql as $$
declare
  lacking text;
begin
  select string_agg(distinct what, ', ') into lacking
  from changed duty
  join transport_vehicle vehicle on vehicle.id = duty.vehicle_id
  cross join lateral (
    select greatest(duty.effective_from, (school_now() at time zone 'Asia/Kolkata')::date) as day) as needed
  cross join lateral (
    select vehicle.fleet_no || ' ' || kind as what
    from unnest(array['RC', 'Fitness', 'Insurance', 'Permit', 'PUC']) as kind
    where not exists (select from transport_duty earlier where earlier.trip_id = duty.trip_id
        and earlier.vehicle_id = duty.vehicle_id and earlier.effective_to = duty.effective_from - 1)
      and not exists (select from transport_vehicle_document paper where paper.vehicle_id = vehicle.id
        and paper.kind = kind.kind and paper.is_active and paper.expires_on >= needed.day)
    union all
    select staff.name || ' ' || papers.name
    from transport_crew crew join staff on staff.id = crew.staff_id
    cross join lateral (values ('licence', crew.licence_expires_on), ('medical check', crew.medical_expires_on))
      as papers (name, expires_on)
    where crew.id = duty.driver_id and coalesce(papers.expires_on, '-infinity') < needed.day
      and not exists (select from transport_duty earlier where earlier.trip_id = duty.trip_id
        and earlier.driver_id = duty.driver_id and earlier.effective_to = duty.effective_from - 1)) as papers;
  if lacking is not null then
    raise exception 'papers of a new duty are missing or have expired' using errcode = '23514',
      constraint = 'transport_duty_papers', detail = lacking;
  end if;
  if exists (
      select from changed duty join transport_slot_plan plan on plan.id = duty.slot_plan_id
      where duty.effective_from < plan.effective_from
        or coalesce(duty.effective_to, 'infinity') > coalesce(plan.effective_to, 'infinity')) then
    raise exception 'a duty lies within the times of its slot' using errcode = '23514', constraint = 'transport_duty_inside';
  end if;
  if exists (
      select from changed duty
      join transport_crew driver on driver.id = duty.driver_id
      join transport_crew attendant on attendant.id = duty.attendant_id
      where not driver.is_driver or not attendant.is_attendant) then
    raise exception 'the driver drives and the attendant attends' using errcode = '23514', constraint = 'transport_duty_crew';
  end if;
  return null;
end $$;

create or replace view staff_inactive as
  select staff_id from sign_in_account where not is_active
  union
  select staff_id from staff_employment group by staff_id
    having max(coalesce(last_day, 'infinity')) < (school_now() at time zone 'Asia/Kolkata')::date;
