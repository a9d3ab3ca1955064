-- Grading scales (areas.md K1): which grade stands for which percentages. Of a scale every whole percent from 0 to 100
-- belongs to exactly one band.

create table academic_grading_scale (
  id          integer generated always as identity primary key,
  name        text not null check (length(name) between 1 and 60),
  is_active   boolean not null default true,
  version     integer not null default 1
);
create unique index academic_grading_scale_name_unique on academic_grading_scale (lower(name));

create table academic_grading_band (
  id           integer generated always as identity primary key,
  scale_id     integer not null references academic_grading_scale on delete cascade,
  min_percent  smallint not null check (min_percent >= 0),
  max_percent  smallint not null check (max_percent <= 100),
  grade        text not null check (length(grade) between 1 and 5),
  points       numeric check (points between 0 and 10 and points = round(points, 1)),
  check (min_percent <= max_percent),
  constraint academic_grading_band_overlap exclude using gist
    (scale_id with =, int4range(min_percent, max_percent, '[]') with &&)
);
create unique index academic_grading_band_grade_unique on academic_grading_band (scale_id, lower(grade));

-- Bands that lie within 0 to 100 and do not overlap leave nothing out when they are 101 percents together. Asked at the
-- end of a transaction, since a scale is saved with all its bands; the scale is held, so that two who change it come one
-- after the other.
create function academic_keep_scale_whole() returns trigger language plpgsql as $$
declare
  scale integer;
begin
  foreach scale in array array(select distinct (one ->> tg_argv[0])::integer
      from unnest(array[to_jsonb(old), to_jsonb(new)]) as one where one is not null) loop
    perform 1 from academic_grading_scale where id = scale for no key update;
    if found and (select coalesce(sum(max_percent - min_percent + 1), 0) from academic_grading_band
        where scale_id = scale) <> 101 then
      raise exception 'a percent has no grade' using errcode = '23514', constraint = 'academic_grading_band_gap';
    end if;
  end loop;
  return null;
end $$;
create constraint trigger whole after insert on academic_grading_scale
  deferrable initially deferred for each row execute function academic_keep_scale_whole('id');
create constraint trigger whole after insert or update or delete on academic_grading_band
  deferrable initially deferred for each row execute function academic_keep_scale_whole('scale_id');

grant select, insert, update, delete on academic_grading_scale, academic_grading_band to shala_app;
