-- The same days as before. The days of the school and their weekdays are worked out once, not for each person, and the shift of
-- a category is joined, not looked up for each day of each person.
create or replace function workday_on(people integer[], first date, last date)
returns table (staff_id integer, day date, first_works boolean, second_works boolean, starts text, ends text, kind text, name text, shift_id integer)
language sql stable as $$
  select person.id, days.day, own.work > 0, own.work > 1,
    coalesce(case when days.weekday = 'Saturday' and shift.saturday_starts <> '' then shift.saturday_starts else shift.starts end, ''),
    coalesce(case when days.weekday = 'Saturday' and shift.saturday_starts <> '' then shift.saturday_ends else shift.ends end, ''),
    days.kind, days.name, shift.id
  from unnest($1) as person (id)
  join staff_employment spell on spell.staff_id = person.id
  join (
    select days.day, days.kind, days.name, to_char(days.day, 'FMDay') as weekday
    from academic_year year
    cross join lateral academic_school_days(year.id, greatest($2, year.starts_on), least($3, year.ends_on)) as days
    where year.starts_on <= $3 and year.ends_on >= $2 and days.grade_id is null
    offset 0) as days on days.day between spell.joined_on and coalesce(spell.last_day, 'infinity')
  left join staff_post post on post.staff_id = person.id
    and days.day between post.effective_from and coalesce(post.effective_to, 'infinity')
  left join workday_shift usual on usual.is_active and usual.staff_category_id = post.staff_category_id
  left join workday_shift_person given on given.staff_id = person.id
    and days.day between given.effective_from and coalesce(given.effective_to, 'infinity')
  left join workday_shift shift on shift.id = coalesce(given.shift_id, usual.id,
    (select id from workday_shift one where one.is_active and one.is_default))
  cross join lateral (select case
      when shift.id is not null and not days.weekday = any (shift.weekdays) then 0
      when days.kind in ('Working day', 'Exam day') then 2
      when days.kind = 'Half day' then case when shift.works_half_days then 2 else 1 end
      when days.kind = 'Weekly off' then case when shift.has_own_days_off then 2 else 0 end
      when days.kind = 'Vacation' then case when shift.works_vacation then 2 else 0 end
      else 0 end as work) as own
$$;
