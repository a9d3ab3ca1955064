-- An announcement without messages says so: one that reaches nobody by a slip is refused.
alter table announcement add column is_page_only boolean not null default false;
update announcement set is_page_only = true where not sends_email and not sends_sms and state <> 'Draft';
alter table announcement add constraint announcement_page_only check (not (is_page_only and (sends_email or sends_sms)));

-- Of a new version: what its form changed besides the text, and from which text reading counted; Undo puts it back.
alter table announcement_round add column earlier jsonb;
alter table announcement_round add constraint announcement_round_earlier check (earlier is null or kind = 'New version');
