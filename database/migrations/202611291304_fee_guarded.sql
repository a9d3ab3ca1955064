-- Fee heads, receipt series, bank accounts and settings wait for a second person as discounts do.
alter table fee_proposal
  drop constraint fee_proposal_kind_check,
  add constraint fee_proposal_kind check (kind in ('Discount', 'Fee head', 'Receipt series', 'Bank account', 'Setting')),
  -- A setting is known by its key; the version of one with its default is 0.
  add column setting_key text check (length(setting_key) between 1 and 60),
  drop constraint fee_proposal_basis,
  add constraint fee_proposal_basis check (subject_id is not null or setting_key is not null or basis = 0),
  add constraint fee_proposal_setting check ((kind = 'Setting') = (setting_key is not null)
    and (subject_id is null or setting_key is null));
create unique index fee_proposal_setting_once on fee_proposal (setting_key) where status = 'Asked';
