-- A family makes the certificate of fees paid on its page; the audit log names the guardian.
alter table fee_certificate alter column made_by drop not null;
comment on column fee_certificate.made_by is 'Null: a family made it on its page.';
