-- What a school may choose of signing in and of the first page (security.md A14, product-spec.md section 2).

alter table academic_school
  -- After the password an Admin also types a code that is mailed.
  add column asks_admin_code boolean not null default false,
  -- The specification's words on the dashboard.
  add column shows_dashboard_words boolean not null default false;

-- What its holder is signed in as: Staff by the code alone, Admin when it follows the password.
alter table sign_in_code add column role text not null default 'Staff' check (role in ('Staff', 'Admin'));
