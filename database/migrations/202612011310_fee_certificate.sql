-- Certificates of fees paid in a financial year, for the income tax of who paid. Kept as they were printed.
create table fee_certificate (
  id                 integer generated always as identity primary key,
  certificate_no     text not null unique,
  student_id         integer not null references student,
  -- April to March: 2026-27.
  financial_year     text not null check (financial_year ~ '^[0-9]{4}-[0-9]{2}$'),
  receipt_series_id  integer not null references fee_receipt_series,
  branch_id          integer not null references academic_branch,
  amount             bigint not null check (amount > 0),
  -- What the paper says.
  issued             jsonb not null,
  -- The one before it for the same child, year and series: of the same amount it is a duplicate, else it takes its place.
  replaces_id        integer unique references fee_certificate,
  code               text not null unique check (code ~ '^[1-9A-HJ-NP-Za-km-z]{10}$'),
  made_by            integer not null references staff,
  made_at            timestamptz not null default school_now()
);
create unique index fee_certificate_first on fee_certificate (student_id, financial_year, receipt_series_id)
  where replaces_id is null;
create index on fee_certificate (student_id, id);
create index on fee_certificate (receipt_series_id);
create index on fee_certificate (branch_id);
create index on fee_certificate (made_by);
grant select, insert on fee_certificate to shala_app;

insert into number_series (code, prefix, pattern, reset_on, is_gapless)
  values ('fee-certificate', 'FC', '{prefix}/{FY}/{seq:5}', 'financialYear', true);
