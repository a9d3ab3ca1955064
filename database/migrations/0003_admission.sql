-- A family's inquiry, and the five pages of the form it opens.

create table admission_inquiry (
  id                   integer generated always as identity primary key,
  inquiry_no           text not null unique,
  -- SHA-256 of the link value; the value itself is computed from the link key and kept nowhere.
  link_hash            bytea not null unique check (length(link_hash) = 32),
  link_key_id          text not null,
  link_version         integer not null default 1 check (link_version > 0),
  link_expires_at      timestamptz not null,
  link_revoked_at      timestamptz,
  academic_year_id     integer not null references academic_year,
  board_id             integer not null references academic_board,
  program_id           integer not null references academic_program,
  grade_id             integer not null references academic_grade,
  source               text not null default 'walk-in'
    check (source in ('walk-in', 'phone', 'website', 'referral', 'event')),
  first_name           text,
  last_name            text,
  gender               text check (gender in ('M', 'F', 'T')),
  birth_date           date,
  father_first_name    text,
  father_last_name     text,
  father_mobile        text check (father_mobile ~ '^[0-9]{10}$'),
  father_email         text,
  mother_first_name    text,
  mother_last_name     text,
  mother_mobile        text check (mother_mobile ~ '^[0-9]{10}$'),
  mother_email         text,
  sibling_names        text not null default '' check (length(sibling_names) <= 200),
  -- Set by staff, with the reason, where a parent's details cannot be asked for (single, widowed, adopted).
  father_waived_reason text check (father_waived_reason <> ''),
  mother_waived_reason text check (mother_waived_reason <> ''),
  status               text not null default 'Received',
  submitted_at         timestamptz,
  created_at           timestamptz not null default now()
);
create index on admission_inquiry (father_mobile);
create index on admission_inquiry (mother_mobile);
create index on admission_inquiry (lower(father_email));
create index on admission_inquiry (lower(mother_email));

create table admission_basic_info (
  inquiry_id           integer primary key references admission_inquiry,
  version              integer not null default 1,
  first_name           text not null check (length(first_name) between 1 and 50),
  last_name            text not null check (length(last_name) between 1 and 50),
  birth_date           date not null,
  blood_group          text not null check (blood_group in ('A+', 'A-', 'B+', 'B-', 'AB+', 'AB-', 'O+', 'O-')),
  -- Encrypted; the hash finds duplicates and is null unless the number is a valid Aadhaar number.
  aadhaar              bytea not null,
  aadhaar_hash         bytea,
  nationality          text not null check (length(nationality) between 1 and 50),
  caste                text not null check (length(caste) between 1 and 50),
  sub_caste            text not null check (length(sub_caste) between 1 and 50),
  religion             text not null check (length(religion) between 1 and 50),
  emergency_mobile     text not null check (emergency_mobile ~ '^[0-9]{10}$'),
  food_option          text not null check (food_option in ('Veg. Food', 'Jain. Food')),
  wants_transport      boolean not null,
  student_uid          text not null check (length(student_uid) between 1 and 20),
  school_dise_code     text not null check (length(school_dise_code) between 1 and 20),
  same_address         boolean not null,
  current_street_no    text not null check (length(current_street_no) between 1 and 12),
  current_address1     text not null check (length(current_address1) between 1 and 200),
  current_address2     text not null check (length(current_address2) between 1 and 200),
  current_city         text not null check (length(current_city) between 1 and 100),
  current_state        text not null check (length(current_state) between 1 and 100),
  current_country      text not null check (length(current_country) between 1 and 100),
  current_pin_code     text not null check (length(current_pin_code) between 1 and 10),
  permanent_street_no  text not null check (length(permanent_street_no) between 1 and 20),
  permanent_address1   text not null check (length(permanent_address1) between 1 and 200),
  permanent_address2   text not null check (length(permanent_address2) between 1 and 200),
  permanent_city       text not null check (length(permanent_city) between 1 and 100),
  permanent_state      text not null check (length(permanent_state) between 1 and 100),
  permanent_country    text not null check (length(permanent_country) between 1 and 100),
  permanent_pin_code   text not null check (length(permanent_pin_code) between 1 and 10),
  photo_id             uuid not null references file,
  created_at           timestamptz not null default now(),
  updated_at           timestamptz not null default now()
);
create index on admission_basic_info (aadhaar_hash);

create table admission_parent_info (
  inquiry_id                  integer primary key references admission_inquiry,
  version                     integer not null default 1,
  works_here                  boolean,
  staff_employee_id           text not null check (length(staff_employee_id) <= 50),
  father_first_name           text not null check (length(father_first_name) <= 50),
  father_last_name            text not null check (length(father_last_name) <= 50),
  father_mobile               text not null check (father_mobile ~ '^([0-9]{10})?$'),
  father_email                text not null check (length(father_email) <= 100),
  father_birth_date           date,
  father_qualification        text not null check (length(father_qualification) <= 100),
  father_occupation           text not null check (father_occupation in ('', 'Service/Job', 'Business', 'Homemaker')),
  father_organization         text not null check (length(father_organization) <= 100),
  father_profile              text not null check (length(father_profile) <= 500),
  father_sector_id            integer references academic_career,
  father_specialty_id         integer references academic_career,
  father_internship           text not null check (father_internship in ('', 'Yes', 'No', 'May Be')),
  father_field_trip           boolean,
  father_field_trip_details   text not null check (length(father_field_trip_details) <= 1000),
  father_hobbies              text not null check (length(father_hobbies) <= 100),
  mother_first_name           text not null check (length(mother_first_name) <= 50),
  mother_last_name            text not null check (length(mother_last_name) <= 50),
  mother_mobile               text not null check (mother_mobile ~ '^([0-9]{10})?$'),
  mother_email                text not null check (length(mother_email) <= 100),
  mother_birth_date           date,
  mother_qualification        text not null check (length(mother_qualification) <= 100),
  mother_occupation           text not null check (mother_occupation in ('', 'Service/Job', 'Business', 'Homemaker')),
  mother_organization         text not null check (length(mother_organization) <= 100),
  mother_profile              text not null check (length(mother_profile) <= 500),
  mother_sector_id            integer references academic_career,
  mother_specialty_id         integer references academic_career,
  mother_internship           text not null check (mother_internship in ('', 'Yes', 'No', 'May Be')),
  mother_field_trip           boolean,
  mother_field_trip_details   text not null check (length(mother_field_trip_details) <= 1000),
  mother_hobbies              text not null check (length(mother_hobbies) <= 100),
  parents_are_guardians       boolean not null,
  guardian_first_name         text not null check (length(guardian_first_name) <= 50),
  guardian_last_name          text not null check (length(guardian_last_name) <= 50),
  guardian_mobile             text not null check (guardian_mobile ~ '^([0-9]{10})?$'),
  guardian_email              text not null check (length(guardian_email) <= 100),
  guardian_relation           text not null check (length(guardian_relation) <= 50),
  guardian_reason             text not null check (length(guardian_reason) <= 250),
  guardian_qualification      text not null check (length(guardian_qualification) <= 100),
  guardian_occupation         text not null check (guardian_occupation in ('', 'Service/Job', 'Business', 'Homemaker')),
  guardian_organization       text not null check (length(guardian_organization) <= 100),
  guardian_profile            text not null check (length(guardian_profile) <= 500),
  guardian_sector_id          integer references academic_career,
  guardian_specialty_id       integer references academic_career,
  guardian_internship         text not null check (guardian_internship in ('', 'Yes', 'No', 'May Be')),
  guardian_field_trip         boolean,
  guardian_field_trip_details text not null check (length(guardian_field_trip_details) <= 1000),
  guardian_street_no          text not null check (length(guardian_street_no) <= 20),
  guardian_address1           text not null check (length(guardian_address1) <= 200),
  guardian_address2           text not null check (length(guardian_address2) <= 200),
  guardian_city               text not null check (length(guardian_city) <= 100),
  guardian_state              text not null check (length(guardian_state) <= 100),
  guardian_country            text not null check (length(guardian_country) <= 100),
  guardian_pin_code           text not null check (length(guardian_pin_code) <= 10),
  is_divorced                 boolean not null,
  divorce_document_id         uuid references file,
  is_adopted                  boolean not null,
  adoption_document_id        uuid references file,
  family_photo_id             uuid not null references file,
  other_family_information    text not null check (length(other_family_information) <= 1000),
  created_at                  timestamptz not null default now(),
  updated_at                  timestamptz not null default now(),
  check (is_divorced = (divorce_document_id is not null)),
  check (is_adopted = (adoption_document_id is not null))
);

-- The answers are one encrypted document (decision 6); whether a vaccination card is there must be asked in SQL.
create table admission_health (
  inquiry_id           integer primary key references admission_inquiry,
  version              integer not null default 1,
  answers              bytea not null,
  vaccination_card_id  uuid references file,
  created_at           timestamptz not null default now(),
  updated_at           timestamptz not null default now()
);

create table admission_education (
  id           integer generated always as identity primary key,
  inquiry_id   integer not null references admission_inquiry,
  from_grade   text not null check (length(from_grade) between 1 and 50),
  to_grade     text not null check (length(to_grade) between 1 and 50),
  board_name   text not null check (length(board_name) between 1 and 100),
  school_name  text not null check (length(school_name) between 1 and 300),
  city         text not null check (length(city) between 1 and 100),
  created_at   timestamptz not null default now()
);
create index on admission_education (inquiry_id, id);

create table admission_additional_info (
  inquiry_id              integer primary key references admission_inquiry,
  version                 integer not null default 1,
  contact1_first_name     text not null check (length(contact1_first_name) between 1 and 50),
  contact1_last_name      text not null check (length(contact1_last_name) between 1 and 50),
  contact1_mobile         text not null check (contact1_mobile ~ '^[0-9]{10}$'),
  contact1_relationship   text not null check (length(contact1_relationship) between 1 and 50),
  contact2_first_name     text not null check (length(contact2_first_name) between 1 and 50),
  contact2_last_name      text not null check (length(contact2_last_name) between 1 and 50),
  contact2_mobile         text not null check (contact2_mobile ~ '^[0-9]{10}$'),
  contact2_relationship   text not null check (length(contact2_relationship) between 1 and 50),
  authorizes_emergency    boolean not null,
  authorized_at           timestamptz,
  time_with_father        text not null check (length(time_with_father) <= 1000),
  time_with_mother        text not null check (length(time_with_mother) <= 1000),
  parenting_belief        text not null check (length(parenting_belief) between 1 and 1000),
  reasons_for_admission   text not null check (length(reasons_for_admission) between 1 and 1000),
  created_at              timestamptz not null default now(),
  updated_at              timestamptz not null default now(),
  check (authorizes_emergency = (authorized_at is not null))
);

create table admission_language (
  inquiry_id                  integer primary key references admission_inquiry,
  version                     integer not null default 1,
  home_language               text not null,
  other_languages             text not null,
  first_generation_learner    boolean not null,
  study_language              text not null check (study_language in ('Gujarati', 'Hindi', 'English')),
  school_language             text not null check (school_language in ('Gujarati', 'Hindi', 'English')),
  has_replaced_language       boolean not null,
  replaced_language           text not null,
  created_at                  timestamptz not null default now(),
  updated_at                  timestamptz not null default now(),
  check (has_replaced_language = (replaced_language <> ''))
);

create table admission_document (
  id                 integer generated always as identity primary key,
  inquiry_id         integer not null references admission_inquiry,
  name               text not null check (name in ('Birth Certificate', 'Aadhar Card', 'No Due Certificate', 'Other')),
  other_description  text not null check (length(other_description) <= 1000),
  file_id            uuid not null unique references file,
  created_at         timestamptz not null default now(),
  unique (inquiry_id, name),
  check (name <> 'Other' or other_description <> '')
);

-- Set by staff: this family need not bring this document (A40).
create table admission_document_waiver (
  inquiry_id  integer not null references admission_inquiry,
  name        text not null check (name in ('Birth Certificate', 'Aadhar Card')),
  reason      text not null check (reason <> ''),
  due_on      date,
  primary key (inquiry_id, name)
);

-- What was handed in, frozen and encrypted at the moment of submission.
create table admission_submission (
  id            integer generated always as identity primary key,
  inquiry_id    integer not null references admission_inquiry,
  copy          bytea not null,
  submitted_at  timestamptz not null
);
create index on admission_submission (inquiry_id);

grant select, insert, update on admission_inquiry, admission_basic_info, admission_parent_info, admission_health,
  admission_additional_info, admission_language to shala_app;
grant select, insert, delete on admission_education, admission_document to shala_app;
grant select, insert on admission_document_waiver, admission_submission to shala_app;
