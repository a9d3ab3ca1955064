-- An announcement without messages says so: one that reaches nobody by a slip is refused.
alter table announcement add column is_page_only boolean not null default false;
update announcement set is_page_only = true where not sends_email and not sends_sms and state <> 'Draft';
alter table announcement add constraint announcement_page_only check (not (is_page_only and (sends_email or sends_sms)));
