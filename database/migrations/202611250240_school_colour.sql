-- The colour that pages take which people see before they sign in: one of the names in src/kit/contract/palette.ts.
alter table academic_school add column colour text not null default 'Teal'
  check (colour in ('Teal', 'Blue', 'Indigo', 'Purple', 'Pink', 'Red', 'Orange', 'Amber', 'Green', 'Grey'));
