-- The principal's signature, which stands over their name on papers (areas.md K2).
alter table academic_school add column signature_id uuid references file;
create index on academic_school (signature_id) where signature_id is not null;
