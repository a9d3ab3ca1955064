-- Who of the staff is active, so that it is asked of them as of every master's rows: staff.is_active. Nobody is who may not
-- sign in any more.
create function is_active(staff) returns boolean language sql stable as $$
  select not exists (select 1 from sign_in_account where staff_id = $1.id and not is_active)
$$;
