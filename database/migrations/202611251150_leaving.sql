-- The last day on which an account signs in, set when its person is relieved (decision 0067). A person who comes back has
-- no access until an Admin restores it.
alter table sign_in_account add column ends_on date;

-- A person who has left is not offered any more.
create or replace function is_active(staff) returns boolean language sql stable as $$
  select not exists (select 1 from sign_in_account where staff_id = $1.id and not is_active)
    and coalesce((select max(coalesce(last_day, 'infinity')) from staff_employment where staff_id = $1.id)
      >= (now() at time zone 'Asia/Kolkata')::date, true)
$$;
