import { type RawBuilder, sql } from 'kysely';
import type { Database } from '#kit/server/database/database.ts';
import { type RatedDomain, scoreOf } from './contract/score.ts';

const strengths = [
  'The aim was on the board and every group could say it.',
  'Questions went to all rows; wrong answers were used to explain.',
  'Quick check with slates before going on.',
];
const improvements = [
  'The last ten minutes were copied from the board. Plan a task in pairs.',
  'Give the slower group an example that is worked out.',
  'Wait a little longer after a question.',
];

/** The day, or the Friday before a Saturday or Sunday. */
const schoolDay = (day: RawBuilder<unknown>) =>
  sql`((${day})::date - greatest(0, extract(isodow from (${day})::date)::integer - 5))`;

/** Visits of two observers over a term: planned, drafts, shared and closed. */
export async function seedVisits(db: Database, today: string) {
  await sql`
    with observer as (
      select staff_id, row_number() over (order by id) - 1 as place from sign_in_account
      where is_staff and 'principal' = any(sets) order by id limit 2),
    teacher as (
      select own.staff_id, min(own.section_id) as section_id, row_number() over (order by own.staff_id) as number
      from academic_section_teacher own
      where ${today}::date between own.effective_from and coalesce(own.effective_to, 'infinity')
        and own.staff_id not in (select staff_id from observer)
      group by own.staff_id),
    rubric as (
      select type.id as type_id, version.id, version.scale_id from observation_type type
      join observation_rubric_version version on version.rubric_id = type.rubric_id and version.state = 'Published'
      where type.for_whom = 'Staff' limit 1),
    visit as (
      -- Five teachers are not observed.
      select teacher.staff_id, teacher.section_id, number, times,
        (select staff_id from observer where place = number % (select count(*) from observer)) as observer_id,
        (${schoolDay(sql`${today}::date - ((number * 7 + times * 13) % 80)::integer - 3`)} + time '09:40') at time zone 'Asia/Kolkata' as at
      from teacher cross join generate_series(1, 2) as times where number > 5 and (times = 1 or number % 3 = 0))
    insert into observation_visit (observed_id, observer_id, type_id, rubric_version_id, scale_id, kind, is_announced,
      scheduled_at, section_id, topic)
    select visit.staff_id, observer_id, rubric.type_id, rubric.id, rubric.scale_id,
      case when number % 4 = 0 then 'Scheduled' else 'Walk-through' end, number % 4 = 0,
      case when number % 9 = 0 and times = 1 then (${schoolDay(sql`${today}::date + 5 + (number % 5)::integer`)} + time '10:20') at time zone 'Asia/Kolkata' else at end,
      section_id, (array['Fractions', 'Photosynthesis', 'Letter writing', 'Maps and scales'])[1 + number % 4]
    from visit, rubric where observer_id is not null order by number, times`.execute(db);
  await sql`update observation_visit set state = 'In progress', started_at = scheduled_at, version = 2
    where scheduled_at < ${today}::date`.execute(db);
  await sql`
    insert into observation_visit_rating (visit_id, version_id, indicator_id, level_id, scale_id)
    select visit.id, visit.rubric_version_id, indicator.id, level.id, visit.scale_id
    from observation_visit visit join observation_indicator indicator on indicator.version_id = visit.rubric_version_id
    cross join lateral (select id from observation_level where scale_id = visit.scale_id and points is not null
      order by abs(points - case when indicator.is_critical then case when visit.id % 17 = 4 then 0 else 3 + visit.id % 2 end
        else 1.8 + (visit.id * 37 % 23) / 11.0 + (visit.id * 13 + indicator.id * 29) % 5 * 0.5 - 1 end), id limit 1) level
    where visit.state = 'In progress'`.execute(db);
  await sql`insert into observation_visit_evidence (visit_id, at, text)
    select id, started_at + interval '6 minutes', 'Homework is discussed; eight hands are up.' from observation_visit
    where state = 'In progress'`.execute(db);
  await scoreVisits(db);
  await sql`
    with shared as (
      update observation_visit set state = 'Shared', shared_at = ended_at + interval '1 day', share_number = 1, version = 4
      where state = 'Draft' and id % 10 <> 3 returning *)
    insert into observation_visit_share (visit_id, number, shared_at, copy, score)
    select id, 1, shared_at, jsonb_build_object('strengths', strengths, 'improvements', improvements), score from shared`.execute(
    db,
  );
  await sql`
    with seen as (
      update observation_visit set state = 'Acknowledged', acknowledged_at = shared_at + interval '1 day',
        acknowledged_by = observed_id, comment = 'Thank you, I will try this.', version = 5
      where state = 'Shared' and id % 5 <> 0 returning *)
    update observation_visit_share share set comment = seen.comment, acknowledged_at = seen.acknowledged_at
    from seen where seen.id = share.visit_id`.execute(db);
  await sql`update observation_visit set state = 'Closed', closed_at = acknowledged_at + interval '1 hour', version = 6
    where state = 'Acknowledged' and id % 4 <> 1`.execute(db);
}

/** Ends the visits with their scores. */
async function scoreVisits(db: Database) {
  const { rows } = await sql<{ id: number; domains: RatedDomain[] }>`
    select visit_id as id, jsonb_agg(jsonb_build_object('weight', weight, 'points', points)) as domains from (
      select rating.visit_id, domain.weight, jsonb_agg(level.points * 100) as points
      from observation_visit_rating rating join observation_indicator indicator on indicator.id = rating.indicator_id
      join observation_domain domain on domain.id = indicator.domain_id join observation_level level on level.id = rating.level_id
      group by rating.visit_id, domain.id) rated
    group by visit_id order by visit_id`.execute(db);
  await sql`
    update observation_visit visit set state = 'Draft', ended_at = started_at + interval '25 minutes', score = scored.score,
      is_flagged = exists (select from observation_visit_rating rating
        join observation_indicator indicator on indicator.id = rating.indicator_id and indicator.is_critical
        join observation_level level on level.id = rating.level_id
        where rating.visit_id = visit.id and level.points = (select min(points) from observation_level
          where scale_id = visit.scale_id)),
      strengths = (${strengths}::text[])[1 + visit.id % 3], improvements = (${improvements}::text[])[1 + visit.id % 3], version = 3
    from unnest(${rows.map(({ id }) => id)}::integer[], ${rows.map(({ domains }) => scoreOf(domains))}::integer[])
      as scored (id, score) where scored.id = visit.id`.execute(db);
}
