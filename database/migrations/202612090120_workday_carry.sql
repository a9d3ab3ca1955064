-- As before. The months of each person and the rules of each kind of post are found once; before, a year's months were looked up
-- again for each type of leave of each person.
create or replace function workday_carry(of_year integer, people integer[])
  returns table (staff_id integer, type_id integer, halves integer, carried integer) language sql stable as $$
  with ending as materialized (select id, starts_on, ends_on from academic_year where id = $1),
  person as materialized (
    select spell.staff_id, staff.gender from ending
    join staff_employment spell on ending.ends_on between spell.joined_on and coalesce(spell.last_day, 'infinity')
    join staff on staff.id = spell.staff_id
    where $2 is null or spell.staff_id = any ($2)),
  month as materialized (
    select own.first, least(ending.ends_on, (ending.starts_on + make_interval(months => series.number + 1))::date - 1) as last,
      own.first + 14 as middle
    from ending
    cross join generate_series(0, 25) as series (number)
    cross join lateral (select (ending.starts_on + make_interval(months => series.number))::date as first) as own
    where own.first <= ending.ends_on),
  worked as (
    select spell.staff_id, month.first, month.last, month.middle
    from staff_employment spell join month on spell.joined_on <= month.last and coalesce(spell.last_day, 'infinity') >= month.first
    where spell.staff_id in (select staff_id from person)
    group by spell.staff_id, month.first, month.last, month.middle
    having sum(least(coalesce(spell.last_day, month.last), month.last) - greatest(spell.joined_on, month.first) + 1) >= 15),
  held as (
    select distinct on (worked.staff_id, worked.first) worked.staff_id, coalesce(post.staff_category_id, 0) as category_id,
      coalesce(post.employment_type_id, 0) as terms_id
    from worked left join staff_post post on post.staff_id = worked.staff_id and post.effective_from <= worked.last
      and coalesce(post.effective_to, 'infinity') >= worked.first
    order by worked.staff_id, worked.first,
      worked.middle between post.effective_from and coalesce(post.effective_to, 'infinity') desc nulls last,
      post.effective_from desc),
  counted as materialized (
    select held.staff_id, category_id, terms_id, count(*) as months from held group by held.staff_id, category_id, terms_id),
  type as materialized (
    select id, accrual, gender, carry_halves from workday_leave_type where is_active and not may_go_below),
  ruled as materialized (
    select type.id as type_id, kind.category_id, kind.terms_id, rule.halves
    from type cross join (select distinct category_id, terms_id from counted) as kind
    cross join lateral (select rule.halves from workday_leave_rule rule
      where rule.academic_year_id = $1 and rule.leave_type_id = type.id and rule.is_active
        and (rule.staff_category_id is null or rule.staff_category_id = kind.category_id)
        and (rule.employment_type_id is null or rule.employment_type_id = kind.terms_id)
      order by rule.staff_category_id is not null desc, rule.employment_type_id is not null desc limit 1) as rule),
  -- One group over all that counts: joined as parts, of whose size the planner knows nothing, each was read again for each person.
  part as (
    select counted.staff_id, ruled.type_id, ruled.halves * counted.months as earned, 0 as given
    from counted join ruled on ruled.category_id = counted.category_id and ruled.terms_id = counted.terms_id
    union all
    select credit.staff_id, credit.type_id, null, credit.halves from workday_credit credit where credit.academic_year_id = $1
    union all
    select leave.staff_id, leave.type_id, null, -half.cost
    from workday_leave leave join workday_leave_half half on half.leave_id = leave.id where leave.academic_year_id = $1),
  total as (
    select part.staff_id, part.type_id, sum(part.earned) / 12.0 as earned, sum(part.given)::integer as given
    from part group by part.staff_id, part.type_id)
  select person.staff_id, type.id, own.halves, least(own.halves, type.carry_halves::integer)
  from total
  join type on type.id = total.type_id
  join person on person.staff_id = total.staff_id and type.gender in ('', person.gender)
  cross join lateral (select coalesce(case type.accrual when 'Monthly' then floor(total.earned) else round(total.earned) end, 0)::integer
    + total.given as halves) as own
  where own.halves > 0
$$;
