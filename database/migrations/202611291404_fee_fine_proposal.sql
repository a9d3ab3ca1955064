-- Terms of late fine rules wait for a second person too.
alter table fee_proposal
  drop constraint fee_proposal_kind,
  add constraint fee_proposal_kind check (kind in ('Discount', 'Fee head', 'Receipt series', 'Bank account', 'Setting',
    'Late fine rule'));
