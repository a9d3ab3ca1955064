import { sql } from 'kysely';
import { inScope } from '#access/server/scope.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { contains } from '#kit/server/list/pagination.ts';
import { type CoverLine, type candidateWhys, type coverApi, coverGivers } from '../contract/cover.ts';

/** In a query of `section`: the user gives covers there. */
export const inReach = ({ user }: Pick<UserContext, 'user'>) =>
  inScope(user, coverGivers, { branch: sql`section.branch_id` });

/** As many are offered beside a line. */
const mostOffered = 3;

/**
 * Teachers of a branch who are there in these halves of a day, with how near they are to the `lines` of the query around it: section
 * and subject, then the section, then the subject; of equals those with the fewest covers in the month come first.
 */
const candidates = (day: string) => sql`
  select teacher.id, teacher.name, near.place, counted.covers
  from (select distinct own.staff_id from academic_section_teacher own
    join academic_section its on its.id = own.section_id and its.branch_id = lines.branch_id
    where ${day}::date between own.effective_from and coalesce(own.effective_to, 'infinity')) as mapped
  join staff teacher on teacher.id = mapped.staff_id
  join staff_employment spell on spell.staff_id = teacher.id
    and ${day}::date between spell.joined_on and coalesce(spell.last_day, 'infinity')
  cross join lateral (select min(case
      when own.section_id = lines.section_id and own.subject_id = lines.subject_id then 0
      when own.section_id = lines.section_id then 1
      when own.subject_id = lines.subject_id then 2 else 3 end) as place
    from academic_section_teacher own where own.staff_id = teacher.id
      and ${day}::date between own.effective_from and coalesce(own.effective_to, 'infinity')) as near
  cross join lateral (select count(*)::integer as covers from cover other
    where other.staff_id = teacher.id and other.state = 'Given'
      and other.day between date_trunc('month', ${day}::date) and ${day}::date) as counted
  where not exists (select from workday_away away where away.day = ${day}::date and away.staff_id = teacher.id
    and away.half = any (lines.halves))`;

const whys: readonly (typeof candidateWhys)[number][] = [
  'Teaches this here',
  'Teaches this section',
  'Teaches this subject',
  'Teacher',
];

type Stored = Omit<CoverLine, 'candidates'> & {
  candidates: { staffId: number; name: string; place: number; covers: number }[];
};

/** True of a line without a teacher: it has no substitute, or one who is away or has left. */
export const isOpen = ({ cover }: CoverLine) => cover === null || (cover.isNeeded && cover.isAway);

/** The lines of a day in the user's branches: open ones first, by class, then those with a substitute. */
export async function readLines(ctx: UserContext, day: string): Promise<CoverLine[]> {
  const { rows } = await sql<Stored>`
    with needed as materialized (
      select * from cover_needed(${day}::date) need),
    held as (
      select cover.id, cover.section_id, cover.subject_id, cover.absent_id, cover.from_half, cover.to_half, cover.staff_id,
        cover.version, own.name,
        exists (select from needed where needed.section_id = cover.section_id and needed.absent_id = cover.absent_id
          and needed.subject_id is not distinct from cover.subject_id
          and needed.half between cover.from_half and cover.to_half) as is_needed,
        exists (select from workday_away away where away.day = ${day}::date and away.staff_id = cover.staff_id
          and away.half between cover.from_half and cover.to_half)
        or not exists (select from staff_employment spell where spell.staff_id = cover.staff_id
          and ${day}::date between spell.joined_on and coalesce(spell.last_day, 'infinity')) as is_away
      from cover join staff own on own.id = cover.staff_id
      where cover.day = ${day}::date and cover.state = 'Given'),
    free as (
      select needed.section_id, needed.subject_id, min(needed.absent_id) as absent_id, array_agg(needed.half order by needed.half) as halves
      from (select section_id, subject_id, half, min(absent_id) as absent_id from needed group by 1, 2, 3) as needed
      where not exists (select from held where held.section_id = needed.section_id
        and held.subject_id is not distinct from needed.subject_id and needed.half between held.from_half and held.to_half)
      group by 1, 2),
    lines as (
      select section_id, subject_id, absent_id, halves, halves[1] as from_half, halves[cardinality(halves)] as to_half,
        null::jsonb as cover from free
      union all
      select section_id, subject_id, absent_id, array[from_half, to_half], from_half, to_half,
        jsonb_build_object('id', id, 'version', version, 'staffId', staff_id, 'name', name, 'isNeeded', is_needed, 'isAway', is_away)
      from held)
    select lines.section_id as "sectionId", academic_section_name(grade.name, section.name) as section,
      lines.subject_id as "subjectId", coalesce(subject.name, '') as subject, lines.absent_id as "absentId",
      absent.name as absent, lines.from_half as "fromHalf", lines.to_half as "toHalf", lines.cover,
      coalesce(offered.candidates, '[]') as candidates
    from (select lines.*, section.branch_id from lines join academic_section section on section.id = lines.section_id) as lines
    join academic_section section on section.id = lines.section_id
    join academic_grade grade on grade.id = section.grade_id
    join staff absent on absent.id = lines.absent_id
    left join configuration_subject subject on subject.id = lines.subject_id
    left join lateral (
      select jsonb_agg(jsonb_build_object('staffId', near.id, 'name', near.name, 'place', near.place, 'covers', near.covers)
        order by near.place, near.covers, lower(near.name), near.id) as candidates
      from (${candidates(day)} order by near.place, counted.covers, lower(teacher.name), teacher.id limit ${mostOffered}) as near) as offered
      on lines.cover is null
    where ${inReach(ctx)}
    order by lines.cover is not null, grade.position, lower(section.name), subject.name nulls first, lines.from_half`.execute(
    ctx.db,
  );
  return rows.map(({ candidates: offered, ...line }) => ({
    ...line,
    candidates: offered.map(({ place, ...one }) => ({ ...one, why: whys[place] ?? 'Teacher' })),
  }));
}

export const read: Handler<typeof coverApi.read> = async (ctx, asked) => {
  const today = toLocalDate(ctx.now());
  const day = asked.day || today;
  return { day, today, lines: await readLines(ctx, day) };
};

export const teachers: Handler<typeof coverApi.teachers> = async (
  ctx,
  { day, sectionId, subjectId, search, limit, chosenId },
) => {
  const { rows } = await sql<{ id: number; name: string; isActive: boolean; detail: string }>`
    select own.id, own.name, true as "isActive", case own.covers when 0 then '' else own.covers || ' this month' end as detail
    from (select section.id as section_id, section.branch_id, ${subjectId}::integer as subject_id, array[1, 2] as halves
      from academic_section section where section.id = ${sectionId} and ${inReach(ctx)}) as lines
    cross join lateral (${candidates(day)}) as own (id, name, place, covers)
    where own.name ilike ${contains(search)} or own.id = ${chosenId}
    order by own.id is distinct from ${chosenId}, own.place, own.covers, lower(own.name), own.id limit ${limit}`.execute(
    ctx.db,
  );
  return rows;
};
