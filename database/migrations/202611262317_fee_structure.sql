-- The prices of a year: fee heads with their annual amounts, for grades of one branch and program. Published prices never
-- change; a new version replaces them (docs/decisions/0142-prices-in-versions.md).

create table fee_structure (
  id                integer generated always as identity primary key,
  name              text not null check (length(name) between 1 and 100),
  academic_year_id  integer not null references academic_year,
  branch_id         integer not null references academic_branch,
  program_id        integer not null references academic_program,
  category_id       integer references academic_lookup,
  -- Without a category the prices are for all students; a null would make the keys below useless.
  category_key      integer not null generated always as (coalesce(category_id, 0)) stored,
  admission_type    text not null check (admission_type in ('All students', 'New students', 'Existing students')),
  version_no        smallint not null default 1 check (version_no between 1 and 999),
  replaces_id       integer references fee_structure,
  status            text not null default 'Draft' check (status in ('Draft', 'Published', 'Superseded')),
  edited_by         integer not null references staff,
  published_by      integer references staff,
  published_at      timestamptz,
  version           integer not null default 1,
  check ((status = 'Draft') = (published_at is null)),
  check ((published_at is null) = (published_by is null)),
  unique (id, academic_year_id, branch_id, program_id, category_key, admission_type, status)
);
create index on fee_structure (academic_year_id, branch_id, program_id);
create index on fee_structure (branch_id);
create index on fee_structure (program_id);
create index on fee_structure (category_id);
create index on fee_structure (replaces_id);
create index on fee_structure (edited_by);
create index on fee_structure (published_by);

create table fee_structure_grade (
  structure_id      integer not null,
  grade_id          integer not null references academic_grade,
  academic_year_id  integer not null,
  branch_id         integer not null,
  program_id        integer not null,
  category_key      integer not null,
  admission_type    text not null,
  status            text not null,
  primary key (structure_id, grade_id),
  constraint fee_structure_grade_of_structure
    foreign key (structure_id, academic_year_id, branch_id, program_id, category_key, admission_type, status)
    references fee_structure (id, academic_year_id, branch_id, program_id, category_key, admission_type, status)
    on update cascade on delete cascade
);
create unique index fee_structure_grade_published on fee_structure_grade
  (academic_year_id, branch_id, program_id, grade_id, category_key, admission_type) where status = 'Published';
create index on fee_structure_grade (grade_id);

create table fee_structure_line (
  structure_id  integer not null references fee_structure on delete cascade,
  fee_head_id   integer not null references fee_head,
  annual        bigint not null check (annual between 1 and 90000000000000),
  frequency_id  integer not null references fee_frequency,
  -- Bit 0 is the first month of the year; null for every month.
  months        smallint check (months between 1 and 4095),
  primary key (structure_id, fee_head_id)
);
create index on fee_structure_line (fee_head_id);
create index on fee_structure_line (frequency_id);

create function fee_keep_published() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'fee_structure' then
    if tg_op = 'DELETE' then
      if old.status = 'Draft' then return old; end if;
    elsif old.status = 'Draft' or (old.status = 'Published' and new.status = 'Superseded'
        -- A generated column has no value yet.
        and to_jsonb(new) - '{status,version,category_key}'::text[]
          = to_jsonb(old) - '{status,version,category_key}'::text[]) then
      return new;
    end if;
  elsif (select status from fee_structure where id = coalesce(new.structure_id, old.structure_id)) = 'Draft' then
    return coalesce(new, old);
  -- The structure is deleted with its lines and grades.
  elsif tg_op = 'DELETE' and not exists (select from fee_structure where id = old.structure_id) then
    return old;
  -- The status follows that of the structure.
  elsif tg_table_name = 'fee_structure_grade' and tg_op = 'UPDATE'
      and to_jsonb(new) -> 'grade_id' = to_jsonb(old) -> 'grade_id' then
    return new;
  end if;
  raise exception 'published prices do not change' using errcode = '23514', constraint = 'fee_structure_published';
end $$;
create trigger published before update or delete on fee_structure for each row execute function fee_keep_published();
create trigger published before insert or update or delete on fee_structure_grade
  for each row execute function fee_keep_published();
create trigger published before insert or update or delete on fee_structure_line
  for each row execute function fee_keep_published();

-- A price keeps the instalments that it was made with: its frequency is duplicated to change them.
create function fee_keep_used_frequency() returns trigger language plpgsql as $$
begin
  if exists (select from fee_structure_line where frequency_id = old.frequency_id)
      and exists (select from fee_frequency where id = old.frequency_id) then
    raise exception 'a frequency in use keeps its instalments' using errcode = '23514',
      constraint = 'fee_frequency_in_use';
  end if;
  return null;
end $$;
create trigger in_use after update or delete on fee_frequency_row
  for each row execute function fee_keep_used_frequency();

grant select, insert, update, delete on fee_structure, fee_structure_grade, fee_structure_line to shala_app;
