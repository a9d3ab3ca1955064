-- The form of a child who is a student stays as it was when the account was created. Sealed columns may be sealed again under a
-- new key, which leaves the version as it is.

-- A child who left may come back through another application of a later year.
alter table admission_inquiry
  drop constraint admission_inquiry_student,
  add constraint admission_inquiry_student unique (student_id, academic_year_id);

create function admission_refuse_admitted() returns trigger language plpgsql as $$
declare
  inquiry integer := case when tg_op = 'DELETE' then old.inquiry_id else new.inquiry_id end;
begin
  if exists (select from admission_inquiry where id = inquiry and state = 'Admitted') then
    raise exception 'the form of an admitted child stays as it is' using errcode = '23514',
      constraint = 'admission_form_admitted';
  end if;
  return coalesce(new, old);
end $$;

create trigger admitted before insert or delete on admission_basic_info
  for each row execute function admission_refuse_admitted();
create trigger admitted_change before update on admission_basic_info
  for each row when (new.version <> old.version) execute function admission_refuse_admitted();
create trigger admitted before insert or delete on admission_parent_info
  for each row execute function admission_refuse_admitted();
create trigger admitted_change before update on admission_parent_info
  for each row when (new.version <> old.version) execute function admission_refuse_admitted();
create trigger admitted before insert or delete on admission_health
  for each row execute function admission_refuse_admitted();
create trigger admitted_change before update on admission_health
  for each row when (new.version <> old.version) execute function admission_refuse_admitted();
create trigger admitted before insert or delete on admission_additional_info
  for each row execute function admission_refuse_admitted();
create trigger admitted_change before update on admission_additional_info
  for each row when (new.version <> old.version) execute function admission_refuse_admitted();
create trigger admitted before insert or delete on admission_language
  for each row execute function admission_refuse_admitted();
create trigger admitted_change before update on admission_language
  for each row when (new.version <> old.version) execute function admission_refuse_admitted();
create trigger admitted before insert or update or delete on admission_education
  for each row execute function admission_refuse_admitted();
create trigger admitted before insert or update or delete on admission_document
  for each row execute function admission_refuse_admitted();
create trigger admitted before insert or update or delete on admission_document_waiver
  for each row execute function admission_refuse_admitted();
create trigger admitted before insert or update or delete on admission_verdict
  for each row execute function admission_refuse_admitted();
create trigger admitted before insert or update or delete on admission_remark
  for each row execute function admission_refuse_admitted();

create function admission_refuse_admitted_document() returns trigger language plpgsql as $$
declare
  document integer := case when tg_op = 'DELETE' then old.document_id else new.document_id end;
begin
  if exists (select from admission_document own join admission_inquiry inquiry on inquiry.id = own.inquiry_id
      where own.id = document and inquiry.state = 'Admitted') then
    raise exception 'the form of an admitted child stays as it is' using errcode = '23514',
      constraint = 'admission_form_admitted';
  end if;
  return coalesce(new, old);
end $$;
create trigger admitted before insert or update or delete on admission_document_verdict
  for each row execute function admission_refuse_admitted_document();
