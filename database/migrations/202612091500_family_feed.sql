-- The address at which a guardian's calendar program reads the days of the children. Its value is not stored.
create table family_feed (
  guardian_id  integer primary key references guardian on delete cascade,
  value_hash   bytea not null unique check (length(value_hash) = 32),
  made_at      timestamptz not null
);
grant select, insert, update, delete on family_feed to shala_app;

-- It ends with the phones: when the link is revoked or replaced, when the contact changes, and when two records are merged.
create or replace function end_family_proof(guardian integer) returns void language sql as $$
  update family_device set ended_at = school_now() where guardian_id = $1 and ended_at is null;
  delete from family_code where guardian_id = $1;
  delete from family_feed where guardian_id = $1;
$$;

-- That of the adult who is barred ends too: it stands in programs outside the school.
create or replace function end_family_proof_of_barred() returns trigger language plpgsql as $$
begin
  delete from family_feed where guardian_id = new.guardian_id;
  perform end_family_proof(own.guardian_id)
  from student_guardian own
  join guardian held on held.id = own.guardian_id
  join guardian barred on barred.id = new.guardian_id
  where own.student_id = new.student_id and own.guardian_id <> new.guardian_id
    and (barred.mobile <> '' and held.mobile = barred.mobile or barred.email <> '' and lower(held.email) = lower(barred.email));
  return null;
end $$;
