import { type RawBuilder, sql } from 'kysely';
import { clampToYear, readYear } from '#features/calendar/api.ts';
import { showDate } from '#kit/contract/day.ts';
import { omit } from '#kit/contract/field.ts';
import { mostExported } from '#kit/contract/master.ts';
import { text } from '#kit/contract/text.ts';
import type { Context } from '#kit/server/context.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { type Table, tableFile } from '#kit/server/list/table-file.ts';
import { takeNames } from '#kit/server/security/taken-names.ts';
import {
  type Assigned,
  inactive,
  noTeacher,
  type sectionTeacherApi,
  teacherFile,
} from '../contract/section-teacher.ts';
import { entryOf, isHere } from './teacher-entry.ts';

interface TeacherFilter {
  academicYearId: number;
  gradeId: number | null;
  sectionId: number | null;
  staffId: number | null;
  on: string;
}

/** Whether an assignment has not ended by a day. */
const lasts = (on: string) => sql<boolean>`coalesce(own.effective_to, 'infinity') >= ${on}::date`;

/** The active sections of a filter, in the order of their grades. */
const sectionsOf = (db: Context['db'], { academicYearId, gradeId, sectionId, staffId, on }: TeacherFilter) =>
  db
    .selectFrom('academic_section as section')
    .innerJoin('academic_grade as grade', 'grade.id', 'section.grade_id')
    .innerJoin('academic_program as program', 'program.id', 'section.program_id')
    .innerJoin('academic_branch as branch', 'branch.id', 'section.branch_id')
    .where('section.academic_year_id', '=', academicYearId)
    .where('section.is_active', '=', true)
    .$if(gradeId !== null, (query) => query.where('section.grade_id', '=', gradeId))
    .$if(sectionId !== null, (query) => query.where('section.id', '=', sectionId))
    .$if(staffId !== null, (query) =>
      query.where(({ exists, selectFrom }) =>
        exists(
          selectFrom('academic_section_teacher as own')
            .whereRef('own.section_id', '=', 'section.id')
            .where('own.staff_id', '=', staffId)
            .where(lasts(on))
            .select('own.id'),
        ),
      ),
    )
    .orderBy('grade.position')
    .orderBy('branch.name')
    .orderBy('program.name')
    .orderBy(sql`lower(section.name)`)
    .orderBy('section.id');

const mostSections = 300;
const mostTeachers = 300;

/**
 * The subjects of a grade or section, or those of a teacher. An inactive subject stays while it has a teacher there.
 */
function readTaught({ db }: Pick<Context, 'db'>, { academicYearId, gradeId, sectionId, staffId, on }: TeacherFilter) {
  if (gradeId === null && sectionId === null && staffId === null) return [];
  const isTaught = (whose: RawBuilder<boolean>) => sql<boolean>`exists (
    select 1 from academic_section_teacher own join academic_section section on section.id = own.section_id
    where section.is_active and own.academic_year_id = taken.academic_year_id and own.program_id = taken.program_id
      and own.grade_id = taken.grade_id and own.subject_id = taken.subject_id and ${lasts(on)} and ${whose})`;
  const isOfSection = sql<boolean>`(taken.program_id, taken.grade_id) =
    (select program_id, grade_id from academic_section where id = ${sectionId})`;
  return db
    .selectFrom('configuration_grade_subject as taken')
    .innerJoin('configuration_subject as subject', 'subject.id', 'taken.subject_id')
    .where('taken.academic_year_id', '=', academicYearId)
    .$if(gradeId !== null, (query) => query.where('taken.grade_id', '=', gradeId))
    .$if(sectionId !== null, (query) => query.where(isOfSection))
    .$if(gradeId === null && sectionId === null, (query) =>
      query.where(isTaught(sql<boolean>`own.staff_id = ${staffId}`)),
    )
    .where(sql<boolean>`(subject.is_active or ${isTaught(sql<boolean>`true`)})`)
    .select(['taken.program_id', 'taken.grade_id', 'subject.id', 'subject.name', 'subject.short_name'])
    .select('subject.is_active')
    .orderBy(sql`lower(subject.name)`)
    .execute();
}

async function readSections(ctx: Pick<Context, 'db'>, filter: TeacherFilter, most: number) {
  const [sections, taught] = await Promise.all([
    sectionsOf(ctx.db, filter)
      .select(['section.id', 'section.program_id', 'section.grade_id', 'program.name as program'])
      .select(['branch.name as branch', sql<number>`count(*) over ()`.as('total')])
      .select(({ fn }) => fn<string>('academic_section_name', ['grade.name', 'section.name']).as('name'))
      .limit(most)
      .execute(),
    readTaught(ctx, filter),
  ]);
  const subjects = new Map(
    taught.map(({ id, name, short_name, is_active }) => [id, { id, name, shortName: short_name, isActive: is_active }]),
  );
  return {
    omitted: (sections[0]?.total ?? 0) - sections.length,
    subjects: [...subjects.values()],
    sections: sections.map(({ id, name, program, branch, program_id, grade_id }) => ({
      id,
      name,
      program,
      branch,
      subjectIds: taught
        .filter((one) => one.program_id === program_id && one.grade_id === grade_id)
        .map((one) => one.id),
    })),
  };
}

/** The assignments of these sections that have not ended by a day, the earliest first. */
async function readAssigned(
  { db }: Pick<Context, 'db'>,
  filter: TeacherFilter,
  subjectIds: number[],
): Promise<Assigned[]> {
  const rows = await db
    .selectFrom('academic_section_teacher as own')
    .innerJoin('staff', 'staff.id', 'own.staff_id')
    .where('own.academic_year_id', '=', filter.academicYearId)
    .where('own.section_id', 'in', sectionsOf(db, filter).select('section.id'))
    .where(sql<boolean>`(own.subject_id is null or own.subject_id = any(${subjectIds}::integer[]))`)
    .where(lasts(filter.on))
    .select(['own.id', 'own.version', entryOf.as('entry'), 'staff.name as staff', isHere.as('isActive')])
    .orderBy('own.effective_from')
    .orderBy('own.id')
    .execute();
  return rows.map(({ entry, ...row }) => ({ ...entry, ...row }));
}

/** The assignments of a filter, for at most `most` sections. */
async function readMapping(ctx: Pick<Context, 'db' | 'now'>, asked: TeacherFilter, most: number) {
  const year = await readYear(ctx, asked.academicYearId);
  const filter = { ...asked, on: clampToYear(ctx, year, asked.on) };
  const found = await readSections(ctx, filter, most);
  const subjectIds = found.subjects.map(({ id }) => id);
  return {
    on: filter.on,
    isClosed: year.status === 'Closed',
    ...found,
    assigned: await readAssigned(ctx, filter, subjectIds),
  };
}

export const read: Handler<typeof sectionTeacherApi.read> = (ctx, filter) => readMapping(ctx, filter, mostSections);

/** Sections without an active class teacher on a day, and subjects of their grades without an active teacher. */
function gapsOf(db: Context['db'], filter: TeacherFilter) {
  const here = sectionsOf(db, filter).select(({ fn }) => [
    'section.id',
    'section.grade_id',
    'section.program_id',
    fn<string>('academic_section_name', ['grade.name', 'section.name']).as('name'),
    sql<number>`row_number() over (order by grade.position, branch.name, program.name, lower(section.name))`.as(
      'place',
    ),
  ]);
  // A class teacher counts as the teacher of subject 0.
  return sql`
    with here as (${here}), wanted as (
      select here.*, 0 as subject_id, '' as subject from here
      union all
      select here.*, subject.id, subject.name from here
      join configuration_grade_subject taken on taken.academic_year_id = ${filter.academicYearId}
        and taken.program_id = here.program_id and taken.grade_id = here.grade_id
      join configuration_subject subject on subject.id = taken.subject_id and subject.is_active),
    there as (
      select own.section_id, coalesce(own.subject_id, 0) as subject_id, bool_or(inactive.staff_id is null) as is_held,
        string_agg(staff.name, ', ' order by staff.name) as left
      from academic_section_teacher own
      join staff on staff.id = own.staff_id
      left join staff_inactive inactive on inactive.staff_id = own.staff_id
      where own.academic_year_id = ${filter.academicYearId} and own.role <> 'Co-class teacher'
        and ${filter.on}::date between own.effective_from and coalesce(own.effective_to, 'infinity')
      group by 1, 2),
    gap as (select wanted.*, coalesce(there.left, '') as left from wanted
      left join there on there.section_id = wanted.id and there.subject_id = wanted.subject_id
      where there.is_held is not true)`;
}

const mostGaps = 100;

interface Gap {
  sectionId: number;
  gradeId: number;
  section: string;
  subject: string;
  left: string;
  total: number;
}

export const gaps: Handler<typeof sectionTeacherApi.gaps> = async (ctx, filter) => {
  const on = clampToYear(ctx, await readYear(ctx, filter.academicYearId), filter.on);
  const { rows } = await sql<Gap>`${gapsOf(ctx.db, { ...filter, on })}
    select id as "sectionId", grade_id as "gradeId", name as section, subject, "left", count(*) over () as total
    from gap order by subject <> '', place, subject limit ${mostGaps}`.execute(ctx.db);
  const total = rows[0]?.total ?? 0;
  return { gaps: rows.map(({ total: _, ...gap }) => gap), total };
};

/** The number of a year's sections without a class teacher on a day, and of their subjects without a teacher. */
export async function countGaps({ db }: Pick<Context, 'db'>, filter: { academicYearId: number; on: string }) {
  const { rows } = await sql<{ leaders: number; subjects: number }>`
    ${gapsOf(db, { ...filter, gradeId: null, sectionId: null, staffId: null })}
    select count(*) filter (where subject = '') as leaders, count(*) filter (where subject <> '') as subjects
    from gap`.execute(db);
  const [count] = rows as [{ leaders: number; subjects: number }];
  return count;
}

export const load: Handler<typeof sectionTeacherApi.load> = async (ctx, { academicYearId, staffId, on }) => {
  const day = clampToYear(ctx, await readYear(ctx, academicYearId), on);
  const { rows } = await sql<{ staffId: number; staff: string; periods: number; sections: number; total: number }>`
    select staff.id as "staffId", staff.name as staff, coalesce(sum(own.periods_per_week), 0) as periods,
      count(distinct own.section_id) as sections, count(*) over () as total
    from academic_section_teacher own
    join staff on staff.id = own.staff_id
    join academic_section section on section.id = own.section_id and section.is_active
    where own.academic_year_id = ${academicYearId} and coalesce(staff.id = ${staffId}, true)
      and ${day}::date between own.effective_from and coalesce(own.effective_to, 'infinity')
    group by staff.id order by periods desc, sections desc, lower(staff.name), staff.id
    limit ${mostTeachers}`.execute(ctx.db);
  return { rows: rows.map(({ total: _, ...row }) => row), omitted: (rows[0]?.total ?? 0) - rows.length };
};

/** A row for each assignment, and one for each missing teacher. */
export const exportAll: Handler<typeof sectionTeacherApi.export> = async (ctx, { as, ...filter }) => {
  const { on, sections, subjects, assigned } = await readMapping(ctx, filter, mostExported);
  const there = Map.groupBy(assigned, placeOf);
  const rows = sections.flatMap((section) =>
    [
      ...(['Class teacher', 'Co-class teacher'] as const).map((role) => ({ role, id: null, name: '', isActive: true })),
      ...subjects
        .filter(({ id }) => section.subjectIds.includes(id))
        .map((subject) => ({ ...subject, role: 'Subject teacher' as const })),
    ].flatMap(({ role, id, name, isActive }) => {
      const place = [section.name, section.program, section.branch, role, name];
      const entries = there.get(placeOf({ sectionId: section.id, role, subjectId: id })) ?? [];
      const isEmpty = role !== 'Co-class teacher' && isActive && !entries.some((entry) => entry.effectiveFrom <= on);
      return [
        ...(isEmpty ? [[...place, '', null, on, '', noTeacher]] : []),
        ...entries.map((entry) => [
          ...place,
          entry.staff,
          entry.periodsPerWeek,
          entry.effectiveFrom,
          entry.effectiveTo,
          entry.isActive ? '' : inactive,
        ]),
      ];
    }),
  );
  const { name: year } = await readYear(ctx, filter.academicYearId);
  const table: Table = {
    name: 'section-teachers',
    title: text`Section teachers`,
    facts: [
      [text`Year`, year],
      [text`On`, showDate(on)],
    ],
    heads: Object.values(omit(teacherFile, 'grade')).map(({ label }) => label),
    rows,
  };
  const details = { rows: rows.length, as, day: on };
  const act = {
    action: 'section-teacher.exported',
    entity: 'academic_year',
    entityId: filter.academicYearId,
    details,
  };
  return takeNames(ctx, { ...act, names: assigned.length }, () => tableFile(ctx, table, as));
};

const placeOf = ({ sectionId, role, subjectId }: Pick<Assigned, 'sectionId' | 'role' | 'subjectId'>) =>
  `${sectionId} ${role} ${subjectId}`;
