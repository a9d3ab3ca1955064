-- Deletes one member of staff or inquiry that was entered by mistake within a day, as long as no row refers to it. The
-- application deletes neither otherwise. An hour is allowed for the steps between the question and the act.
create function remove_added(of_table text, of_id integer) returns boolean
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if of_table = 'staff' then
    delete from staff where id = of_id and exists (select from audit
      where entity = 'staff' and entity_id = of_id and action = 'staff.created' and at > now() - interval '25 hours');
  elsif of_table = 'admission_inquiry' then
    delete from admission_inquiry where id = of_id and state = 'New' and created_at > now() - interval '25 hours';
  end if;
  return found;
end $$;
revoke execute on function remove_added(text, integer) from public;
grant execute on function remove_added(text, integer) to shala_app;
