-- The school's name and address as papers in Gujarati or Hindi have them.

alter table academic_school
  add column name_local text not null default '' check (length(name_local) <= 200),
  add column address_local text not null default '' check (length(address_local) <= 300);
