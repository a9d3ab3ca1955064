-- What came of a call. Earlier entries, and contacts that are no call, have none.
alter table admission_follow_up add column outcome text not null default ''
  check (outcome in ('', 'Reached', 'No answer', 'Visit', 'Lost'));
