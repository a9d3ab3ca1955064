-- What the school says of itself (areas.md K2), and careers as a master.

alter table academic_school
  add column trust_name text not null default '' check (length(trust_name) <= 200),
  add column udise_code text not null default '' check (udise_code ~ '^([0-9]{11})?$'),
  add column affiliation_no text not null default '' check (length(affiliation_no) <= 60),
  add column address text not null default '' check (length(address) <= 300),
  add column website text not null default '' check (length(website) <= 100),
  add column principal text not null default '' check (length(principal) <= 100),
  add column financial_year_month smallint not null default 4 check (financial_year_month between 1 and 12),
  add column version integer not null default 1;

alter table academic_career
  add column version integer not null default 1,
  -- Of names from now on.
  add constraint academic_career_name_length check (length(name) between 1 and 60) not valid,
  drop constraint academic_career_sector_id_name_key;
update academic_career own set name = name || ' (' || id || ')'
  where exists (select 1 from academic_career other where other.id < own.id
    and other.sector_id is not distinct from own.sector_id and lower(other.name) = lower(own.name));
create unique index academic_career_name_unique on academic_career (sector_id, lower(name)) nulls not distinct;
grant delete on academic_career to shala_app;

-- A specialty belongs to a sector, and a sector to nothing.
create function academic_keep_career_levels() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtext('academic_career'));
  if new.sector_id is not null and (
      exists (select 1 from academic_career where id = new.sector_id and sector_id is not null)
      or exists (select 1 from academic_career where sector_id = new.id)) then
    raise exception 'a specialty belongs to a sector' using errcode = '23514', constraint = 'academic_career_levels';
  end if;
  return null;
end $$;
create trigger levels after insert or update of sector_id on academic_career
  for each row execute function academic_keep_career_levels();
