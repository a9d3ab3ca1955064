-- A family may say that there is no father or no mother to name, and why.
alter table admission_parent_info
  add column has_no_father boolean not null default false,
  add column no_father_reason text not null default ''
    check (no_father_reason in ('', 'Not alive', 'Single parent', 'Adopted', 'Not known', 'Prefer to tell the school')),
  add column has_no_mother boolean not null default false,
  add column no_mother_reason text not null default ''
    check (no_mother_reason in ('', 'Not alive', 'Single parent', 'Adopted', 'Not known', 'Prefer to tell the school')),
  add constraint admission_parent_info_no_father check (has_no_father = (no_father_reason <> '')),
  add constraint admission_parent_info_no_mother check (has_no_mother = (no_mother_reason <> '')),
  -- Nothing is kept about a parent who is not named.
  add constraint admission_parent_info_unnamed_father check (not has_no_father or father_first_name || father_last_name = ''),
  add constraint admission_parent_info_unnamed_mother check (not has_no_mother or mother_first_name || mother_last_name = '');
