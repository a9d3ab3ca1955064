-- The school year of a day: of the active years the last that has begun, else the first to come. In a vacation between
-- two years it is the one that ended.
create function academic_year_on(day date) returns integer language sql stable as $$
  select id from academic_year where is_active
  order by starts_on <= day desc, case when starts_on <= day then starts_on end desc, starts_on
  limit 1
$$;
