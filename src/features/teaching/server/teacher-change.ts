import { sql } from 'kysely';
import { lockYearForShare } from '#features/calendar/api.ts';
import { showDate } from '#kit/contract/day.ts';
import { AppError, fieldRefusal } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { addDays } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { withConstraintMessages } from '#kit/server/master/constraint-messages.ts';
import { lockTableForWrite } from '#kit/server/master/sql.ts';
import { notFound, requireVersion } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import { inactiveSubject, type sectionTeacherApi, type TeacherRole } from '../contract/section-teacher.ts';
import {
  changeable,
  type Entry,
  entryOf,
  insertAll,
  isHere,
  noteOf,
  type Period,
  rules,
  updateAll,
} from './teacher-entry.ts';

async function insert(ctx: UserContext, entries: Entry[]) {
  const { db } = ctx;
  const [first] = entries;
  const section = await db
    .selectFrom('academic_section')
    .where('id', '=', first?.sectionId ?? 0)
    .select(['academic_year_id', 'is_active'])
    .executeTakeFirstOrThrow(notFound);
  if (!section.is_active)
    throw new AppError('conflict', text`This section is inactive. Activate it in the Academic Master first.`);
  await begin(ctx, section.academic_year_id);
  await insertAll(db, entries);
}

/** The name of an active teacher; refuses others. */
async function requireHere({ db }: UserContext, staffId: number): Promise<string> {
  const staff = await db
    .selectFrom('staff')
    .where('id', '=', staffId)
    .select(['name', isHere.as('isHere')])
    .executeTakeFirst();
  if (staff?.isHere) return staff.name;
  throw fieldRefusal(
    'staffId',
    staff ? text`This entry is inactive. Choose another one.` : text`Choose one from the list.`,
  );
}

/** Refuses new assignments to an inactive subject; existing ones may still be replaced. */
async function requireTaught({ db }: UserContext, { role, subjectId }: Entry) {
  if (role !== 'Subject teacher') return;
  const query = db.selectFrom('configuration_subject').where('id', '=', subjectId).select('is_active');
  const subject = await query.executeTakeFirst();
  if (subject && !subject.is_active) throw fieldRefusal('subjectId', inactiveSubject);
}

/** The other sections with the same class teacher on some of these days. */
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

async function note(ctx: UserContext, what: string, entry: Entry, options: Record<string, string> = {}) {
  const names = await ctx.db
    .selectFrom('academic_section as section')
    .innerJoin('academic_grade as grade', 'grade.id', 'section.grade_id')
    .innerJoin('staff', (join) => join.on('staff.id', '=', entry.staffId))
    .leftJoin('configuration_subject as subject', (join) => join.on('subject.id', '=', entry.subjectId))
    .where('section.id', '=', entry.sectionId)
    .select(['staff.name as staffId', 'subject.name as subjectId'])
    .select(({ fn }) => fn<string>('academic_section_name', ['grade.name', 'section.name']).as('section'))
    .executeTakeFirstOrThrow();
  await audit(ctx, noteOf(what, entry, names, options));
}

export const assign: Handler<typeof sectionTeacherApi.assign> = async (ctx, input) => {
  const entry = { ...input, role: input.role as TeacherRole, staffId: input.staffId ?? 0 };
  await requireHere(ctx, entry.staffId);
  await requireTaught(ctx, entry);
  await withConstraintMessages(ctx, rules, () => insert(ctx, [entry]));
  await note(ctx, 'assigned', entry);
  return { alsoOf: await alsoOf(ctx, entry) };
};

/** Locks the year, then the table, in the same order as an import. */
async function begin(ctx: UserContext, yearId: number) {
  await lockYearForShare(ctx, yearId);
  await lockTableForWrite(ctx.db, 'academic_section_teacher');
}

/** Locks an entry; throws `stale` where someone else has changed it. */
async function lockEntry(ctx: UserContext, { id, version }: { id: number; version: number }) {
  const { db } = ctx;
  const known = await db
    .selectFrom('academic_section_teacher')
    .where('id', '=', id)
    .select('academic_year_id')
    .executeTakeFirstOrThrow(notFound);
  await begin(ctx, known.academic_year_id);
  const row = await db
    .selectFrom('academic_section_teacher as own')
    .innerJoin('academic_year as year', 'year.id', 'own.academic_year_id')
    .where('own.id', '=', id)
    .select(['own.version', 'year.ends_on', entryOf.as('entry')])
    .forUpdate('own')
    .executeTakeFirstOrThrow(notFound);
  requireVersion(row, version);
  return { entry: row.entry, lastDay: row.entry.effectiveTo || row.ends_on };
}

export const change: Handler<typeof sectionTeacherApi.change> = async (ctx, { id, version, ...values }) => {
  const { entry } = await lockEntry(ctx, { id, version });
  const changed = { ...entry, ...values };
  await withConstraintMessages(ctx, rules, () =>
    updateAll(ctx.db, ['effectiveFrom', ...changeable], [{ ...values, id }]),
  );
  const days = ({ effectiveFrom, effectiveTo }: Period) => `${effectiveFrom} – ${effectiveTo}`;
  await note(ctx, 'changed', changed, { Before: days(entry) });
  return { alsoOf: await alsoOf(ctx, changed) };
};

export const replace: Handler<typeof sectionTeacherApi.replace> = async (ctx, input) => {
  const { id, effectiveFrom: from, effectiveTo: until } = input;
  const { entry, lastDay } = await lockEntry(ctx, input);
  const staffId = input.staffId ?? 0;
  await requireHere(ctx, staffId);
  if (staffId === entry.staffId)
    throw fieldRefusal(
      'staffId',
      text`This teacher already has this assignment. Choose another teacher or other days.`,
    );
  if (from < entry.effectiveFrom || from > lastDay)
    throw fieldRefusal(
      'effectiveFrom',
      text`Choose a day from ${{ from: showDate(entry.effectiveFrom) }} to ${{ until: showDate(lastDay) }}.`,
    );
  if (until > lastDay)
    throw fieldRefusal('effectiveTo', text`Choose ${{ lastDay: showDate(lastDay) }} or earlier, or leave this empty.`);

  const comesBack = until !== '' && until < lastDay;
  const cover = { ...entry, staffId, effectiveFrom: from, effectiveTo: comesBack ? until : entry.effectiveTo };
  const after = comesBack ? [{ ...entry, effectiveFrom: addDays(until, 1) }] : [];
  await withConstraintMessages(ctx, rules, async () => {
    if (from === entry.effectiveFrom) await drop(ctx, id);
    else await updateAll(ctx.db, ['effectiveTo'], [{ id, effectiveTo: addDays(from, -1) }]);
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
