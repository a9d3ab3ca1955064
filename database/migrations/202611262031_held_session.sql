-- Until then a session has no permissions: it was begun by an address that others had changed within 72 hours.
alter table sign_in_session add column held_until timestamptz;
