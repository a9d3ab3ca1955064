-- The children of each living adult who may meet them, leavers and coming ones too; a contact has no household.
create view student_household as
  select link.guardian_id, link.student_id
  from student_guardian link
  join guardian adult on adult.id = link.guardian_id and not adult.is_deceased
  where link.role <> 'Contact' and not link.is_barred;
grant select on student_household to shala_app;
