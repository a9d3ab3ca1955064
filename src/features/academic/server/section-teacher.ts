import { sql } from 'kysely';
import { showDate } from '#kit/contract/day.ts';
import { AppError, fieldRefusal, notFoundMessage } from '#kit/contract/errors.ts';
import { audit } from '#kit/server/audit.ts';
import type { Context, UserContext } from '#kit/server/context.ts';
import { dayBeside } from '#kit/server/day.ts';
import { type Ruled, refusing } from '#kit/server/master/refusals.ts';
import { type Handler, routes } from '#kit/server/routes.ts';
import { tableFile } from '#kit/server/table-file.ts';
import { type Assigned, sectionTeacherApi, type TeacherRole } from '../contract/section-teacher.ts';
import { closedYearMessage, readYear } from '../shared.ts';
import { dayOf, sectionName } from './section.ts';

const rules: Ruled = {
  table: 'academic_section_teacher',
  fields: {},
  refusals: {
    academic_section_teacher_one_class_teacher: {
      field: 'effectiveFrom',
      says: 'The section has a class teacher on these days. Replace that one instead.',
    },
    academic_section_teacher_overlap: {
      field: 'staffId',
      says: 'This teacher is entered for the same on some of these days already.',
    },
    academic_section_teacher_inside_year: { field: 'effectiveFrom', says: 'The days lie inside the academic year.' },
    academic_section_teacher_is_taught: { field: 'subjectId', says: 'This grade does not take this subject.' },
    academic_year_is_closed: { field: 'effectiveFrom', says: 'This academic year is closed. It can only be read.' },
  },
};

/** Whether somebody still works here. */
const isHere = sql<boolean>`staff.is_active`;

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

const read: Handler<typeof sectionTeacherApi.read> = async (ctx, look) => {
  const year = await readYear(ctx, look.academicYearId);
  const on = dayOf(ctx, year, look.on);
  const [found, assigned] = await Promise.all([readSections(ctx, look), readAssigned(ctx, look, on)]);
  return { on, isClosed: year.status === 'Closed', ...found, assigned };
};

const mostGaps = 100;

const gaps: Handler<typeof sectionTeacherApi.gaps> = async (ctx, look) => {
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

const load: Handler<typeof sectionTeacherApi.load> = async (ctx, { academicYearId, on }) => {
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

interface Period {
  effectiveFrom: string;
  effectiveTo: string;
}

interface Entry extends Period {
  sectionId: number;
  staffId: number;
  role: TeacherRole;
  subjectId: number | null;
  periodsPerWeek: number | null;
}

const columnsOf = ({ staffId, role, subjectId, periodsPerWeek, effectiveFrom, effectiveTo }: Entry) => ({
  staff_id: staffId,
  role,
  subject_id: role === 'Subject teacher' ? subjectId : null,
  periods_per_week: periodsPerWeek,
  effective_from: effectiveFrom,
  effective_to: effectiveTo || null,
});

async function insert({ db }: UserContext, entries: Entry[]) {
  const [first] = entries;
  const section = await db
    .selectFrom('academic_section')
    .where('id', '=', first?.sectionId ?? 0)
    .where('is_active', '=', true)
    .select(['id as section_id', 'academic_year_id', 'branch_id', 'program_id', 'grade_id'])
    .executeTakeFirst();
  if (!section) throw new AppError('not_found', notFoundMessage);
  await db
    .insertInto('academic_section_teacher')
    .values(entries.map((entry) => ({ ...section, ...columnsOf(entry) })))
    .execute();
}

/** Who somebody is, if they still work here. */
async function requireHere({ db }: UserContext, staffId: number): Promise<string> {
  const staff = await db
    .selectFrom('staff')
    .where('id', '=', staffId)
    .select(['name', isHere.as('isHere')])
    .executeTakeFirst();
  if (staff?.isHere) return staff.name;
  const says = staff
    ? `${staff.name} is not active any more. Choose somebody else.`
    : 'Choose somebody who works here.';
  throw fieldRefusal('staffId', says);
}

/** In which other sections somebody is class teacher on some of these days. */
async function alsoOf({ db }: UserContext, entry: Entry): Promise<string[]> {
  if (entry.role !== 'Class teacher') return [];
  const rows = await db
    .selectFrom('academic_section_teacher as own')
    .innerJoin('academic_section as section', 'section.id', 'own.section_id')
    .innerJoin('academic_grade as grade', 'grade.id', 'section.grade_id')
    .where('own.staff_id', '=', entry.staffId)
    .where('own.role', '=', 'Class teacher')
    .where('own.section_id', '<>', entry.sectionId)
    // An entry without a last day ends with its year.
    .where('own.academic_year_id', '=', (row) =>
      row.selectFrom('academic_section').where('id', '=', entry.sectionId).select('academic_year_id'),
    )
    .where(
      sql<boolean>`daterange(own.effective_from, own.effective_to, '[]') &&
        daterange(${entry.effectiveFrom}::date, ${entry.effectiveTo || null}::date, '[]')`,
    )
    .select(sectionName.as('name'))
    .distinct()
    .execute();
  return rows.map(({ name }) => name);
}

/** What an act of one entry is written down with. */
async function note(ctx: UserContext, what: string, entry: Entry, more: Record<string, string> = {}) {
  const names = await ctx.db
    .selectFrom('academic_section as section')
    .innerJoin('academic_grade as grade', 'grade.id', 'section.grade_id')
    .innerJoin('staff', (join) => join.on('staff.id', '=', entry.staffId))
    .leftJoin('configuration_subject as subject', (join) => join.on('subject.id', '=', entry.subjectId))
    .where('section.id', '=', entry.sectionId)
    .select([sectionName.as('section'), 'staff.name as teacher', 'subject.name as subject'])
    .executeTakeFirstOrThrow();
  await audit(ctx, {
    action: `section-teacher.${what}`,
    entity: 'academic_section',
    entityId: entry.sectionId,
    details: {
      Section: names.section,
      Teacher: names.teacher,
      Role: entry.role,
      ...(names.subject && { Subject: names.subject }),
      From: entry.effectiveFrom,
      ...(entry.effectiveTo && { Until: entry.effectiveTo }),
      ...more,
    },
  });
}

const assign: Handler<typeof sectionTeacherApi.assign> = async (ctx, input) => {
  const entry = { ...input, role: input.role as TeacherRole, staffId: input.staffId ?? 0 };
  await requireHere(ctx, entry.staffId);
  await refusing(ctx, rules, () => insert(ctx, [entry]));
  await note(ctx, 'assigned', entry);
  return { alsoOf: await alsoOf(ctx, entry) };
};

/** An entry as it stands, held; throws `stale` where somebody changed it meanwhile. */
async function hold({ db }: UserContext, { id, version }: { id: number; version: number }) {
  const row = await db
    .selectFrom('academic_section_teacher as own')
    .innerJoin('academic_year as year', 'year.id', 'own.academic_year_id')
    .where('own.id', '=', id)
    .select(['own.version', 'own.section_id', 'own.staff_id', 'own.role', 'own.subject_id', 'own.periods_per_week'])
    .select(['own.effective_from', 'own.effective_to', 'year.ends_on'])
    .forUpdate('own')
    .executeTakeFirst();
  if (!row) throw new AppError('not_found', notFoundMessage);
  if (row.version !== version) throw new AppError('stale', 'Somebody has changed this meanwhile. Look at it again.');
  const entry: Entry = {
    sectionId: row.section_id,
    staffId: row.staff_id,
    role: row.role as TeacherRole,
    subjectId: row.subject_id,
    periodsPerWeek: row.periods_per_week,
    effectiveFrom: row.effective_from,
    effectiveTo: row.effective_to ?? '',
  };
  return { entry, lastDay: row.effective_to ?? row.ends_on };
}

const update = ({ db }: UserContext, id: number, values: Partial<Entry>) =>
  db
    .updateTable('academic_section_teacher')
    .set({
      ...(values.periodsPerWeek !== undefined && { periods_per_week: values.periodsPerWeek }),
      ...(values.effectiveFrom && { effective_from: values.effectiveFrom }),
      ...(values.effectiveTo !== undefined && { effective_to: values.effectiveTo || null }),
      version: sql`version + 1`,
    })
    .where('id', '=', id)
    .execute();

const change: Handler<typeof sectionTeacherApi.change> = async (ctx, { id, version, ...values }) => {
  const { entry } = await hold(ctx, { id, version });
  const changed = { ...entry, ...values };
  await refusing(ctx, rules, () => update(ctx, id, values));
  const days = ({ effectiveFrom, effectiveTo }: Period) => `${effectiveFrom} – ${effectiveTo}`;
  await note(ctx, 'changed', changed, { Before: days(entry) });
  return { alsoOf: await alsoOf(ctx, changed) };
};

const replace: Handler<typeof sectionTeacherApi.replace> = async (ctx, input) => {
  const { id, effectiveFrom: from, effectiveTo: until } = input;
  const { entry, lastDay } = await hold(ctx, input);
  const staffId = input.staffId ?? 0;
  const teacher = await requireHere(ctx, staffId);
  if (staffId === entry.staffId) throw fieldRefusal('staffId', `${teacher} is the one to be replaced.`);
  if (from < entry.effectiveFrom || from > lastDay)
    throw fieldRefusal(
      'effectiveFrom',
      `Choose a day between ${showDate(entry.effectiveFrom)} and ${showDate(lastDay)}.`,
    );
  if (until > lastDay) throw fieldRefusal('effectiveTo', `Choose a day until ${showDate(lastDay)}, or none.`);

  const comesBack = until !== '' && until < lastDay;
  const cover = { ...entry, staffId, effectiveFrom: from, effectiveTo: comesBack ? until : entry.effectiveTo };
  const after = comesBack ? [{ ...entry, effectiveFrom: dayBeside(until, 1) }] : [];
  await refusing(ctx, rules, async () => {
    if (from === entry.effectiveFrom) await drop(ctx, id);
    else await update(ctx, id, { effectiveTo: dayBeside(from, -1) });
    await insert(ctx, [cover, ...after]);
  });
  await note(ctx, 'replaced', cover);
  return { alsoOf: await alsoOf(ctx, cover) };
};

const drop = ({ db }: UserContext, id: number) =>
  db.deleteFrom('academic_section_teacher').where('id', '=', id).execute();

const remove: Handler<typeof sectionTeacherApi.remove> = async (ctx, input) => {
  const { entry } = await hold(ctx, input);
  await note(ctx, 'removed', entry);
  await refusing(ctx, rules, () => drop(ctx, input.id));
  return {};
};

interface CopyInput {
  fromYearId: number;
  toYearId: number;
  isTrial: boolean;
}

/** Copies who stands in a section at the end of one year to the same section of another. */
export async function copyTeachers(ctx: UserContext, { fromYearId, toYearId, isTrial }: CopyInput) {
  const from = await readYear(ctx, fromYearId);
  const to = await readYear(ctx, toYearId, true);
  if (to.status === 'Closed') throw new AppError('conflict', closedYearMessage);
  const { rows } = await sql<{ what: string; why: string; entry: Entry }>`
    select concat_ws(': ', ${sectionName}, coalesce(subject.name, own.role), staff.name) as what,
      case
        when there.id is null then 'section'
        when not ${isHere} then 'left'
        when own.subject_id is not null and not exists (select 1 from configuration_grade_subject taken
          where taken.academic_year_id = ${toYearId} and taken.program_id = own.program_id
            and taken.grade_id = own.grade_id and taken.subject_id = own.subject_id) then 'subject'
        when exists (select 1 from academic_section_teacher other where other.section_id = there.id
          and other.role = own.role and other.subject_id is not distinct from own.subject_id) then 'there'
        else '' end as why,
      json_build_object('sectionId', there.id, 'staffId', own.staff_id, 'role', own.role, 'subjectId', own.subject_id,
        'periodsPerWeek', own.periods_per_week, 'effectiveFrom', ${to.starts_on}::text, 'effectiveTo', '') as entry
    from academic_section_teacher own
    join academic_section section on section.id = own.section_id
    join academic_grade grade on grade.id = section.grade_id
    join staff on staff.id = own.staff_id
    left join configuration_subject subject on subject.id = own.subject_id
    left join academic_section there on there.academic_year_id = ${toYearId} and there.branch_id = section.branch_id
      and there.program_id = section.program_id and there.grade_id = section.grade_id
      and lower(there.name) = lower(section.name) and there.is_active
    where own.academic_year_id = ${fromYearId} and coalesce(own.effective_to, ${from.ends_on}) >= ${from.ends_on}
    order by grade.position, lower(section.name), own.id`.execute(ctx.db);
  const added = rows.filter(({ why }) => why === '').map(({ entry }) => entry);
  const there = rows.filter(({ why }) => why === 'there').length;
  const left = rows
    .filter(({ why }) => why in whyLeft)
    .map(({ what, why }) => ({ what, why: whyLeft[why as keyof typeof whyLeft] }));
  if (!isTrial && added.length > 0) {
    await refusing(ctx, rules, () => insertAll(ctx, added));
    const details = { from: from.name, to: to.name, added: added.length };
    await audit(ctx, { action: 'section-teacher.copied', entity: 'academic_year', entityId: toYearId, details });
  }
  return { added: added.length, there, left };
}

const copy: Handler<typeof sectionTeacherApi.copy> = async (ctx, input) => {
  const { left, ...counts } = await copyTeachers(ctx, input);
  return { ...counts, left: left.slice(0, 100) };
};

/** Why somebody is not copied. */
const whyLeft = {
  section: 'This section is not there in the new year.',
  left: 'This teacher is not active any more.',
  subject: 'The grade does not take this subject in the new year.',
};

const insertAll = ({ db }: UserContext, entries: Entry[]) =>
  sql`insert into academic_section_teacher (academic_year_id, branch_id, program_id, grade_id, section_id, staff_id, role,
      subject_id, periods_per_week, effective_from)
    select section.academic_year_id, section.branch_id, section.program_id, section.grade_id, section.id, given."staffId",
      given.role, given."subjectId", given."periodsPerWeek", given."effectiveFrom"
    from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as given ("sectionId" integer, "staffId" integer, role text,
      "subjectId" integer, "periodsPerWeek" smallint, "effectiveFrom" date)
    join academic_section section on section.id = given."sectionId"`.execute(db);

const exportAll: Handler<typeof sectionTeacherApi.export> = async (ctx, { as, ...look }) => {
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

export default routes(sectionTeacherApi, {
  read,
  gaps,
  load,
  assign,
  change,
  replace,
  remove,
  copy,
  export: exportAll,
});
