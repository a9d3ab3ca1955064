-- Each inquiry belongs to a branch; earlier inquiries go to the first branch.
alter table admission_inquiry add column branch_id integer references academic_branch;
update admission_inquiry set branch_id = (select id from academic_branch order by is_active desc, id limit 1);
alter table admission_inquiry alter column branch_id set not null;
create index admission_inquiry_branch on admission_inquiry (branch_id, id);
