import { sql } from 'kysely';
import { lockYearForShare } from '#features/calendar/api.ts';
import { showDate } from '#kit/contract/day.ts';
import { AppError, fieldRefusal, notFoundMessage } from '#kit/contract/errors.ts';
import type { UserContext } from '#kit/server/context.ts';
import { addDays } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { withConstraintMessages } from '#kit/server/master/constraint-messages.ts';
import { lockTableForWrite } from '#kit/server/master/sql.ts';
import { audit } from '#kit/server/security/audit.ts';
import { inactiveSubject, type sectionTeacherApi, type TeacherRole } from '../contract/section-teacher.ts';
import { type Entry, isHere, noteOf, type Period, rules } from './teacher-entry.ts';

const columnsOf = ({ staffId, role, subjectId, periodsPerWeek, effectiveFrom, effectiveTo }: Entry) => ({
  staff_id: staffId,
  role,
  subject_id: role === 'Subject teacher' ? subjectId : null,
  periods_per_week: periodsPerWeek,
  effective_from: effectiveFrom,
  effective_to: effectiveTo || null,
});

async function insert(ctx: UserContext, entries: Entry[]) {
  const { db } = ctx;
  const [first] = entries;
  const section = await db
    .selectFrom('academic_section')
    .where('id', '=', first?.sectionId ?? 0)
    .select(['id as section_id', 'academic_year_id', 'branch_id', 'program_id', 'grade_id', 'is_active'])
    .executeTakeFirst();
  if (!section) throw new AppError('not_found', notFoundMessage);
  const { is_active: isActive, ...place } = section;
  if (!isActive)
    throw new AppError('conflict', 'This section is switched off. Switch it on in the Academic Master first.');
  await begin(ctx, place.academic_year_id);
  await db
    .insertInto('academic_section_teacher')
    .values(entries.map((entry) => ({ ...place, ...columnsOf(entry) })))
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
  const message = staff
    ? `${staff.name} is not active any more. Choose somebody else.`
    : 'Choose somebody who works here.';
  throw fieldRefusal('staffId', message);
}

/** Nobody begins to teach what is switched off; who teaches it already may be replaced. */
async function requireTaught({ db }: UserContext, { role, subjectId }: Entry) {
  if (role !== 'Subject teacher') return;
  const query = db.selectFrom('configuration_subject').where('id', '=', subjectId).select('is_active');
  const subject = await query.executeTakeFirst();
  if (subject && !subject.is_active) throw fieldRefusal('subjectId', inactiveSubject);
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
    .where('section.is_active', '=', true)
    // An entry without a last day ends with its year.
    .where('own.academic_year_id', '=', (row) =>
      row.selectFrom('academic_section').where('id', '=', entry.sectionId).select('academic_year_id'),
    )
    .where(
      sql<boolean>`daterange(own.effective_from, own.effective_to, '[]') &&
        daterange(${entry.effectiveFrom}::date, ${entry.effectiveTo || null}::date, '[]')`,
    )
    .select(({ fn }) => fn<string>('academic_section_name', ['grade.name', 'section.name']).as('name'))
    .distinct()
    .execute();
  return rows.map(({ name }) => name);
}

/** What an act of one entry is written down with. */
async function note(ctx: UserContext, what: string, entry: Entry, options: Record<string, string> = {}) {
  const names = await ctx.db
    .selectFrom('academic_section as section')
    .innerJoin('academic_grade as grade', 'grade.id', 'section.grade_id')
    .innerJoin('staff', (join) => join.on('staff.id', '=', entry.staffId))
    .leftJoin('configuration_subject as subject', (join) => join.on('subject.id', '=', entry.subjectId))
    .where('section.id', '=', entry.sectionId)
    .select(['staff.name as teacher', 'subject.name as subject'])
    .select(({ fn }) => fn<string>('academic_section_name', ['grade.name', 'section.name']).as('section'))
    .executeTakeFirstOrThrow();
  await audit(ctx, noteOf(what, entry, { ...names, subject: names.subject ?? '' }, options));
}

export const assign: Handler<typeof sectionTeacherApi.assign> = async (ctx, input) => {
  const entry = { ...input, role: input.role as TeacherRole, staffId: input.staffId ?? 0 };
  await requireHere(ctx, entry.staffId);
  await requireTaught(ctx, entry);
  await withConstraintMessages(ctx, rules, () => insert(ctx, [entry]));
  await note(ctx, 'assigned', entry);
  return { alsoOf: await alsoOf(ctx, entry) };
};

/** First the year, then the table, then rows of it: so does an import. */
async function begin(ctx: UserContext, yearId: number) {
  await lockYearForShare(ctx, yearId);
  await lockTableForWrite(ctx.db, 'academic_section_teacher');
}

/** An entry as it stands, held; throws `stale` where somebody changed it meanwhile. */
async function lockEntry(ctx: UserContext, { id, version }: { id: number; version: number }) {
  const { db } = ctx;
  const known = await db
    .selectFrom('academic_section_teacher')
    .where('id', '=', id)
    .select('academic_year_id')
    .executeTakeFirst();
  if (!known) throw new AppError('not_found', notFoundMessage);
  await begin(ctx, known.academic_year_id);
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

export const change: Handler<typeof sectionTeacherApi.change> = async (ctx, { id, version, ...values }) => {
  const { entry } = await lockEntry(ctx, { id, version });
  const changed = { ...entry, ...values };
  await withConstraintMessages(ctx, rules, () => update(ctx, id, values));
  const days = ({ effectiveFrom, effectiveTo }: Period) => `${effectiveFrom} – ${effectiveTo}`;
  await note(ctx, 'changed', changed, { Before: days(entry) });
  return { alsoOf: await alsoOf(ctx, changed) };
};

export const replace: Handler<typeof sectionTeacherApi.replace> = async (ctx, input) => {
  const { id, effectiveFrom: from, effectiveTo: until } = input;
  const { entry, lastDay } = await lockEntry(ctx, input);
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
  const after = comesBack ? [{ ...entry, effectiveFrom: addDays(until, 1) }] : [];
  await withConstraintMessages(ctx, rules, async () => {
    if (from === entry.effectiveFrom) await drop(ctx, id);
    else await update(ctx, id, { effectiveTo: addDays(from, -1) });
    await insert(ctx, [cover, ...after]);
  });
  await note(ctx, 'replaced', cover);
  return { alsoOf: await alsoOf(ctx, cover) };
};

const drop = ({ db }: UserContext, id: number) =>
  db.deleteFrom('academic_section_teacher').where('id', '=', id).execute();

export const remove: Handler<typeof sectionTeacherApi.remove> = async (ctx, input) => {
  const { entry } = await lockEntry(ctx, input);
  await note(ctx, 'removed', entry);
  await withConstraintMessages(ctx, rules, () => drop(ctx, input.id));
  return {};
};
