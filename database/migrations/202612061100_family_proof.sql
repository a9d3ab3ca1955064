-- A guardian who typed a code on a phone has proven it. The phone keeps a cookie that opens the family page without a link.
create table family_device (
  id           integer generated always as identity primary key,
  guardian_id  integer not null references guardian on delete cascade,
  token_hash   bytea not null unique check (length(token_hash) = 32),
  proven_at    timestamptz not null,
  used_on      date not null,
  expires_at   timestamptz not null,
  ended_at     timestamptz
);
create index on family_device (guardian_id);
grant select, insert, update, delete on family_device to shala_app;

-- The code that proves it; a newer one takes the place of an earlier one.
create table family_code (
  id           integer generated always as identity primary key,
  guardian_id  integer not null references guardian on delete cascade,
  -- The address that it was sent to.
  target       text not null check (length(target) <= 100),
  salt         bytea not null check (length(salt) = 16),
  expires_at   timestamptz not null,
  tries        smallint not null default 0 check (tries between 0 and 5),
  unique (guardian_id)
);
grant select, insert, update, delete on family_code to shala_app;

-- Phones and codes end with the link: when it is revoked, and when the contact changes, also without a link.
create function end_family_proof(guardian integer) returns void language sql as $$
  update family_device set ended_at = school_now() where guardian_id = $1 and ended_at is null;
  delete from family_code where guardian_id = $1;
$$;
create function end_family_proof_of_link() returns trigger language plpgsql as $$
begin
  perform end_family_proof(new.guardian_id);
  return null;
end $$;
create trigger end_family_proof after update of revoked_at on family_link
  for each row when (new.revoked_at is not null and old.revoked_at is null) execute function end_family_proof_of_link();
create function end_family_proof_of_contact() returns trigger language plpgsql as $$
begin
  perform end_family_proof(new.id);
  return null;
end $$;
create trigger contact_ends_family_proof after update of mobile, email on guardian
  for each row when ((old.mobile <> '' and new.mobile <> old.mobile) or (old.email <> '' and new.email <> old.email))
  execute function end_family_proof_of_contact();

-- Whether an adult who is barred from a child of this guardian has the same number or address: then it proves nothing.
create function family_contact_is_barred(guardian integer, target text) returns boolean language sql stable as $$
  select exists (
    select from student_guardian own
    join student_guardian other on other.student_id = own.student_id and other.is_barred
    join guardian adult on adult.id = other.guardian_id and adult.id <> own.guardian_id
    where own.guardian_id = $1 and (adult.mobile = $2 or lower(adult.email) = lower($2)))
$$;

-- An adult who is barred from a child may hold the phone of a guardian of this child with the same number or address.
create function end_family_proof_of_barred() returns trigger language plpgsql as $$
begin
  perform end_family_proof(own.guardian_id)
  from student_guardian own
  join guardian held on held.id = own.guardian_id
  join guardian barred on barred.id = new.guardian_id
  where own.student_id = new.student_id and own.guardian_id <> new.guardian_id
    and (barred.mobile <> '' and held.mobile = barred.mobile or barred.email <> '' and lower(held.email) = lower(barred.email));
  return null;
end $$;
create trigger barred_ends_family_proof after insert or update of is_barred on student_guardian
  for each row when (new.is_barred) execute function end_family_proof_of_barred();
