-- What a withdrawn plan still charges: the heads of these kinds, of a child that never joined, where the school keeps them.
alter table fee_plan
  add column keeps text[] not null default '{}',
  add constraint fee_plan_keeps check (keeps <@ '{Admission,Deposit}' and (status = 'Withdrawn' or keeps = '{}'));
grant update (keeps) on fee_plan to shala_app;
