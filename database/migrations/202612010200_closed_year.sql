-- A closed year says what it is: a refused write names the year, the day on which it was closed, and what is possible instead.
create function academic_refuse_closed(years integer[], way text) returns void language plpgsql as $$
declare
  own record;
begin
  select name, (closed_at at time zone 'Asia/Kolkata')::date as closed_on into own from academic_year
    where id = any (years) and status = 'Closed' order by starts_on desc limit 1;
  if found then
    raise exception 'the academic year is closed' using errcode = '23514', constraint = 'academic_year_is_closed',
      detail = json_build_object('year', own.name, 'closedOn', own.closed_on, 'way', way);
  end if;
end $$;

create function academic_closed_way(of_table text) returns text language sql immutable as $$
  select case when $1 = 'attendance_mark' then 'correction' when $1 like 'fee\_%' then 'money'
    when $1 = 'observation_note' then 'none' else 'reopen' end
$$;

-- Of a year's own rows none may be added, changed or removed once the year is closed. It takes a row that goes, as it is, to
-- the record that its student was merged into.
create or replace function academic_refuse_closed_year() returns trigger language plpgsql as $$
declare
  touched integer[] := array[
    case when tg_op <> 'INSERT' then old.academic_year_id end,
    case when tg_op <> 'DELETE' then new.academic_year_id end];
begin
  if (select bool_or(status = 'Closed')
      from (select status from academic_year where id = any (touched) for share) as years) then
    if tg_op = 'UPDATE' then
      if to_jsonb(old) ->> 'student_id' <> to_jsonb(new) ->> 'student_id'
          and to_jsonb(old) - 'student_id' = to_jsonb(new) - 'student_id' then
        return new;
      end if;
    end if;
    perform academic_refuse_closed(touched, academic_closed_way(tg_table_name));
  end if;
  return coalesce(new, old);
end $$;

-- As before for rows together. A mark also follows a correction that is applied in this transaction, with the version of its
-- register.
create or replace function academic_refuse_closed_years() returns trigger language plpgsql as $$
declare
  touched integer[];
begin
  if tg_op = 'INSERT' then
    touched := array(select distinct academic_year_id from changed);
  elsif tg_op = 'DELETE' then
    touched := array(select distinct academic_year_id from before);
  else
    touched := array(select academic_year_id from changed union select academic_year_id from before);
  end if;
  if (select bool_or(status = 'Closed')
      from (select status from academic_year where id = any (touched) order by id for share) as years) then
    if tg_op = 'UPDATE' then
      if not exists (select to_jsonb(later) - 'student_id' from changed later
            except select to_jsonb(earlier) - 'student_id' from before earlier)
          and not exists (select to_jsonb(later) from changed later intersect select to_jsonb(earlier) from before earlier) then
        return null;
      end if;
    end if;
    if tg_table_name = 'attendance_mark' and tg_op <> 'DELETE' then
      if not exists (select from changed mark where not exists (select from attendance_correction correction
          where correction.register_id = (to_jsonb(mark) ->> 'register_id')::integer
            and correction.student_id = (to_jsonb(mark) ->> 'student_id')::integer
            and correction.applied_at = school_now())) then
        return null;
      end if;
    end if;
    if tg_table_name = 'attendance_register' and tg_op = 'UPDATE' then
      if not exists (select to_jsonb(later) - 'version' from changed later
            except select to_jsonb(earlier) - 'version' from before earlier)
          and not exists (select from changed later where not exists (select from attendance_correction correction
            where correction.register_id = (to_jsonb(later) ->> 'id')::integer
              and correction.applied_at = school_now())) then
        return null;
      end if;
    end if;
    perform academic_refuse_closed(touched, academic_closed_way(tg_table_name));
  end if;
  return null;
end $$;

create or replace function fee_refuse_closed_plan() returns trigger language plpgsql as $$
begin
  perform academic_refuse_closed(array(select plan.academic_year_id from fee_plan plan
    where plan.id = coalesce(new.plan_id, old.plan_id)), 'money');
  return coalesce(new, old);
end $$;

-- In functions of many lines the one that refuses is replaced, and no other.
do $$
declare
  refusal constant text := $old$raise exception 'the academic year is closed' using errcode = '23514', constraint = 'academic_year_is_closed';$old$;
  own record;
begin
  for own in select * from (values
      ('fee_post'::regproc, $new$perform academic_refuse_closed(array(select academic_year_id from posted
      where kind in ('Charge', 'Pro-rata', 'Concession')), 'money');$new$),
      ('transport_refuse_closed'::regproc, $new$perform academic_refuse_closed(array(select id from academic_year
      where status = 'Closed' and ends_on >= first_day), 'reopen');$new$)) as part (name, words) loop
    if strpos(pg_get_functiondef(own.name), refusal) = 0 then
      raise exception '% refuses in other words', own.name;
    end if;
    execute replace(pg_get_functiondef(own.name), refusal, own.words);
  end loop;
end $$;
