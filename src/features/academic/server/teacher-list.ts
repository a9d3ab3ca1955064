import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Context } from '#kit/server/context.ts';
import type { Handler } from '#kit/server/routes.ts';
import { tableFile } from '#kit/server/table-file.ts';
import type { Assigned, sectionTeacherApi, TeacherRole } from '../contract/section-teacher.ts';
import { readYear } from '../shared.ts';
import { dayOf, sectionName } from './section.ts';
import { isHere } from './teacher-entry.ts';

interface Look {
  academicYearId: number;
  gradeId: number | null;
}

/** The active sections of a year, of one grade or of all, in the order of their grades. */
const sectionsOf = (db: Context['db'], { academicYearId, gradeId }: Look) =>
  db
    .selectFrom('academic_section as section')
    .innerJoin('academic_grade as grade', 'grade.id', 'section.grade_id')
    .innerJoin('academic_program as program', 'program.id', 'section.program_id')
    .innerJoin('academic_branch as branch', 'branch.id', 'section.branch_id')
    .where('section.academic_year_id', '=', academicYearId)
    .where('section.is_active', '=', true)
    .$if(gradeId !== null, (query) => query.where('section.grade_id', '=', gradeId))
    .orderBy('grade.position')
    .orderBy('branch.name')
    .orderBy('program.name')
    .orderBy(sql`lower(section.name)`)
    .orderBy('section.id');

const mostSections = 300;

async function readSections({ db }: Pick<Context, 'db'>, look: Look) {
  const [sections, taught] = await Promise.all([
    sectionsOf(db, look)
      .select(['section.id', 'section.program_id', 'section.grade_id', 'program.name as program'])
      .select(['branch.name as branch', sectionName.as('name')])
      .limit(mostSections)
      .execute(),
    look.gradeId === null
      ? []
      : db
          .selectFrom('configuration_grade_subject as taken')
          .innerJoin('configuration_subject as subject', 'subject.id', 'taken.subject_id')
          .where('taken.academic_year_id', '=', look.academicYearId)
          .where('taken.grade_id', '=', look.gradeId)
          .select(['taken.program_id', 'subject.id', 'subject.name', 'subject.short_name'])
          .orderBy(sql`lower(subject.name)`)
          .execute(),
  ]);
  const subjects = new Map(taught.map(({ id, name, short_name }) => [id, { id, name, shortName: short_name }]));
  return {
    subjects: [...subjects.values()],
    sections: sections.map(({ id, name, program, branch, program_id }) => ({
      ...{ id, name, program, branch },
      subjectIds: taught.filter((one) => one.program_id === program_id).map((one) => one.id),
    })),
  };
}

/** Who is entered for these sections and has not ended by a day, the earliest first. */
async function readAssigned({ db }: Pick<Context, 'db'>, look: Look, on: string): Promise<Assigned[]> {
  const rows = await db
    .selectFrom('academic_section_teacher as own')
    .innerJoin('staff', 'staff.id', 'own.staff_id')
    .where('own.academic_year_id', '=', look.academicYearId)
    .$if(look.gradeId !== null, (query) => query.where('own.grade_id', '=', look.gradeId))
    .$if(look.gradeId === null, (query) => query.where('own.role', '<>', 'Subject teacher'))
    .where(sql<boolean>`coalesce(own.effective_to, 'infinity') >= ${on}`)
    .select(['own.id', 'own.version', 'own.section_id', 'own.staff_id', 'own.role', 'own.subject_id'])
    .select(['own.periods_per_week', 'own.effective_from', 'own.effective_to', 'staff.name', isHere.as('isHere')])
    .orderBy('own.effective_from')
    .orderBy('own.id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    version: row.version,
    sectionId: row.section_id,
    staffId: row.staff_id,
    staff: row.name,
    isActive: row.isHere,
    role: row.role as TeacherRole,
    subjectId: row.subject_id,
    periodsPerWeek: row.periods_per_week,
    effectiveFrom: row.effective_from,
    effectiveTo: row.effective_to ?? '',
  }));
}

export const read: Handler<typeof sectionTeacherApi.read> = async (ctx, look) => {
  const year = await readYear(ctx, look.academicYearId);
  const on = dayOf(ctx, year, look.on);
  const [found, assigned] = await Promise.all([readSections(ctx, look), readAssigned(ctx, look, on)]);
  return { on, isClosed: year.status === 'Closed', ...found, assigned };
};

const mostGaps = 100;

export const gaps: Handler<typeof sectionTeacherApi.gaps> = async (ctx, look) => {
  const on = dayOf(ctx, await readYear(ctx, look.academicYearId), look.on);
  const here = sectionsOf(ctx.db, look).select([
    ...(['section.id', 'section.grade_id', 'section.program_id'] as const),
    ...[
      sectionName.as('name'),
      sql<number>`row_number() over (order by grade.position, branch.name, program.name, lower(section.name))`.as(
        'place',
      ),
    ],
  ]);
  const { rows } = await sql<{
    sectionId: number;
    gradeId: number;
    section: string;
    subject: string;
    left: string;
    total: number;
  }>`
    with here as (${here}), wanted as (
      select here.*, null::integer as subject_id, '' as subject from here
      union all
      select here.*, subject.id, subject.name from here
      join configuration_grade_subject taken on taken.academic_year_id = ${look.academicYearId}
        and taken.program_id = here.program_id and taken.grade_id = here.grade_id
      join configuration_subject subject on subject.id = taken.subject_id and subject.is_active)
    select wanted.id as "sectionId", wanted.grade_id as "gradeId", wanted.name as section, wanted.subject,
      coalesce(there.left, '') as left, count(*) over () as total
    from wanted
    left join lateral (
      select bool_or(${isHere}) as is_held, string_agg(staff.name, ', ' order by staff.name) as left
      from academic_section_teacher own join staff on staff.id = own.staff_id
      where own.section_id = wanted.id and ${on}::date between own.effective_from and coalesce(own.effective_to, 'infinity')
        and case when wanted.subject_id is null then own.role = 'Class teacher' else own.subject_id = wanted.subject_id end
    ) as there on true
    where there.is_held is not true
    order by wanted.place, wanted.subject limit ${mostGaps}`.execute(ctx.db);
  const total = rows[0]?.total ?? 0;
  return { gaps: rows.map(({ total: _, ...gap }) => gap), total };
};

export const load: Handler<typeof sectionTeacherApi.load> = async (ctx, { academicYearId, on }) => {
  const day = dayOf(ctx, await readYear(ctx, academicYearId), on);
  const { rows } = await sql<{ staffId: number; staff: string; periods: number; sections: number }>`
    select staff.id as "staffId", staff.name as staff, coalesce(sum(own.periods_per_week), 0) as periods,
      count(distinct own.section_id) as sections
    from academic_section_teacher own join staff on staff.id = own.staff_id
    where own.academic_year_id = ${academicYearId}
      and ${day}::date between own.effective_from and coalesce(own.effective_to, 'infinity')
    group by staff.id order by periods desc, sections desc, lower(staff.name), staff.id limit 300`.execute(ctx.db);
  return rows;
};

export const exportAll: Handler<typeof sectionTeacherApi.export> = async (ctx, { as, ...look }) => {
  const { on, sections, subjects, assigned } = await read(ctx, look);
  const present = assigned.filter(({ effectiveFrom }) => effectiveFrom <= on);
  const who = (sectionId: number, is: (one: Assigned) => boolean) =>
    present
      .filter((one) => one.sectionId === sectionId && is(one))
      .map(({ staff }) => staff)
      .join(', ') || null;
  const heads = [
    'Section',
    'Program',
    'Branch',
    'Class teacher',
    'Co-class teacher',
    ...subjects.map(({ name }) => name),
  ];
  const rows = sections.map(({ id, name, program, branch }) => [
    ...[name, program, branch],
    who(id, ({ role }) => role === 'Class teacher'),
    who(id, ({ role }) => role === 'Co-class teacher'),
    ...subjects.map((subject) => who(id, ({ subjectId }) => subjectId === subject.id)),
  ]);
  const details = { rows: rows.length, as, day: on };
  await audit(ctx, {
    ...{ action: 'section-teacher.exported', entity: 'academic_year', entityId: look.academicYearId, details },
  });
  return tableFile('section-teachers', heads, rows, as);
};
