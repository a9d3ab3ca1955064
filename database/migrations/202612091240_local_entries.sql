-- Names in the school's own script are entries of the general register: after its open days they change by a correction.

alter table student_correction
  drop constraint student_correction_field_check,
  add constraint student_correction_field_check check (field in ('firstName', 'middleName', 'lastName', 'firstNameLocal',
    'middleNameLocal', 'lastNameLocal', 'gender', 'birthDate', 'birthPlace', 'birthPlaceLocal', 'nationalityId',
    'motherTongueId', 'religionId', 'casteCategoryId', 'caste', 'subCaste'));
