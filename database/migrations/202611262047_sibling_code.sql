-- A code was sent to a number of the linked form: it ends when the link or that form's numbers change.
create function end_sibling_codes() returns trigger language plpgsql as $$
begin
  update admission_sibling_code as code set used_at = now() from admission_inquiry as own
  where own.id = code.inquiry_id and code.used_at is null and new.id in (own.id, own.sibling_inquiry_id);
  return null;
end $$;
create trigger sibling_codes_end after update of sibling_inquiry_id, father_mobile, mother_mobile on admission_inquiry
  for each row when (new.sibling_inquiry_id is distinct from old.sibling_inquiry_id
    or new.father_mobile is distinct from old.father_mobile or new.mother_mobile is distinct from old.mother_mobile)
  execute function end_sibling_codes();
