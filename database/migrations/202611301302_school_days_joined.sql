-- As before, with the entries of the school and of a grade joined: as a subquery they were looked up for each grade and day, 480
-- times for a month. At most one row has a day and a grade (academic_calendar_day_unique).
create or replace function academic_school_days(of_year integer, first date, last date)
  returns table (grade_id integer, day date, kind text, name text, work smallint) language sql stable as $$
  select grade.id, series.moment::date, found.kind, coalesce(case when own.kind is null then whole.name else own.name end, ''),
    (case found.kind when 'Working day' then 2 when 'Exam day' then 2 when 'Half day' then 1 else 0 end)::smallint
  from academic_year year
  cross join lateral generate_series(greatest($2, year.starts_on)::timestamp, least($3, year.ends_on)::timestamp,
    interval '1 day') as series(moment)
  cross join (select id from academic_grade union all select null) as grade
  left join academic_calendar calendar on calendar.academic_year_id = year.id
  left join academic_calendar_day whole on whole.academic_year_id = year.id and whole.day = series.moment::date
    and whole.grade_id is null
  left join academic_calendar_day own on own.academic_year_id = year.id and own.day = series.moment::date
    and own.grade_id = grade.id
  cross join lateral (select coalesce(own.kind, whole.kind, case
    when ceil(extract(day from series.moment) / 7)::smallint = any (case extract(isodow from series.moment)
      when 1 then calendar.monday when 2 then calendar.tuesday when 3 then calendar.wednesday
      when 4 then calendar.thursday when 5 then calendar.friday when 6 then calendar.saturday
      -- A year without a stored calendar has Sundays off.
      else coalesce(calendar.sunday, '{1,2,3,4,5}') end) then 'Weekly off'
    else 'Working day' end) as kind) as found
  where year.id = $1
$$;
