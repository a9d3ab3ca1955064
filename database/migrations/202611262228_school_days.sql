-- The kind of each day of a year for rules in the database, as daysOfMonth computes it for pages. `work` is in half days.
-- A row without a grade is the whole school's.
create function academic_school_days(of_year integer, first date, last date)
  returns table (grade_id integer, day date, kind text, name text, work smallint) language sql stable as $$
  select grade.id, series.moment::date, found.kind, coalesce(entry.name, ''),
    (case found.kind when 'Working day' then 2 when 'Exam day' then 2 when 'Half day' then 1 else 0 end)::smallint
  from academic_year year
  cross join lateral generate_series(greatest($2, year.starts_on)::timestamp, least($3, year.ends_on)::timestamp,
    interval '1 day') as series(moment)
  cross join (select id from academic_grade union all select null) as grade
  left join academic_calendar calendar on calendar.academic_year_id = year.id
  left join lateral (
    select own.kind, own.name from academic_calendar_day own
    where own.academic_year_id = year.id and own.day = series.moment::date
      and (own.grade_id = grade.id or own.grade_id is null)
    order by own.grade_id nulls last limit 1) as entry on true
  cross join lateral (select coalesce(entry.kind, case
    when ceil(extract(day from series.moment) / 7)::smallint = any (case extract(isodow from series.moment)
      when 1 then calendar.monday when 2 then calendar.tuesday when 3 then calendar.wednesday
      when 4 then calendar.thursday when 5 then calendar.friday when 6 then calendar.saturday
      -- A year without a stored calendar has Sundays off.
      else coalesce(calendar.sunday, '{1,2,3,4,5}') end) then 'Weekly off'
    else 'Working day' end) as kind) as found
  where year.id = $1
$$;
