-- Certificates of more kinds, with a code that proves them, and those of one act on many students.
alter table student_certificate drop constraint student_certificate_kind_check;
alter table student_certificate add constraint student_certificate_kind_check
  check (kind in ('Leaving', 'Bonafide', 'Character', 'Study'));
-- Ten signs as in a short link. Certificates from before have none: their papers cannot change.
alter table student_certificate add column code text check (code ~ '^[1-9A-HJ-NP-Za-km-z]{10}$');
create unique index student_certificate_code_unique on student_certificate (code);
-- What was typed for it, such as the conduct of a character certificate.
alter table student_certificate add column details jsonb not null default '{}';
alter table student_certificate add column run_id integer references run;
create index on student_certificate (run_id, id) where run_id is not null;
-- The one of its kind that was issued after it became void.
alter table student_certificate add column replaced_by_id integer references student_certificate;
create index on student_certificate (replaced_by_id) where replaced_by_id is not null;
alter table student_certificate add constraint student_certificate_replaced
  check (replaced_by_id is null or (voided_at is not null and replaced_by_id > id));
create index on student_certificate (issued_on desc, id desc);
create index student_certificate_waiting on student_certificate (issued_on)
  where kind = 'Leaving' and handed_out_on is null and voided_at is null;
grant update (replaced_by_id) on student_certificate to shala_app;

-- Those that were voided before and have a successor.
update student_certificate own set replaced_by_id = (
    select min(id) from student_certificate next
    where next.student_id = own.student_id and next.kind = own.kind and next.id > own.id)
  where voided_at is not null;

insert into number_series (code, prefix, pattern, reset_on, is_gapless) values
  ('character', 'CC', '{prefix}/{AY}/{seq:4}', 'academicYear', true),
  ('study', 'SC', '{prefix}/{AY}/{seq:4}', 'academicYear', true);
