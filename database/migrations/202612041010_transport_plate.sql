-- Number plates as they are on plates and papers: a letter after the district, fewer digits, temporary numbers. A number is kept
-- without what stands between its groups, so another grouping is the same number.
alter table transport_vehicle drop constraint transport_vehicle_registration_no_check;
alter table transport_vehicle add constraint transport_vehicle_registration_no_check check (registration_no ~
  '^([A-Z]{2}[0-9]{1,2}[A-Z]{0,3}[0-9]{1,4}|[0-9]{2}BH[0-9]{4}[A-Z]{1,2}|T[0-9]{4}[A-Z]{2}[0-9]{4}[A-Z]{1,2})$');

create or replace function transport_plain_registration() returns trigger language plpgsql as $$
begin
  new.registration_no := upper(regexp_replace(new.registration_no, '[\s./-]', '', 'g'));
  return new;
end $$;

-- "GJ 5 AB 12" and "GJ 05 AB 0012" are one plate. Without letters between them the digits of district and number are not apart.
drop index transport_vehicle_registration_no_unique;
create unique index transport_vehicle_registration_no_unique on transport_vehicle
  (regexp_replace(registration_no, '^([A-Z]{2})0*([0-9]+[A-Z]+)0*([0-9]+)$', '\1\2\3'));
