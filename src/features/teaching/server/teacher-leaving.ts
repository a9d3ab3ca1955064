import { sql } from 'kysely';
import { relieveHook } from '#features/staff/contract/hooks.ts';
import { showDate } from '#kit/contract/day.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { ActingContext } from '#kit/server/context.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { answer } from '#kit/server/hook.ts';
import { lockTableForWrite } from '#kit/server/master/sql.ts';
import { auditAll } from '#kit/server/security/audit.ts';
import { type Entry, entryOf, noteOf, updateAll } from './teacher-entry.ts';

const openYears = ({ db }: ActingContext, lastDay: string) =>
  db
    .selectFrom('academic_year')
    .where('status', '<>', 'Closed')
    .where('ends_on', '>=', lastDay)
    .select('id')
    .orderBy('id');

/** The years, then the table, in the same order as other changes. */
async function lock(ctx: ActingContext, { lastDay }: { lastDay: string }) {
  await openYears(ctx, lastDay).forShare().execute();
  await lockTableForWrite(ctx.db, 'academic_section_teacher');
}

/**
 * Ends all assignments of a teacher after a day and removes those that begin later; those of closed years stay. Sections
 * that are without a class teacher afterwards block it.
 */
export const endTeaching = answer(relieveHook, { by: 'teaching', step: 2, lock }, async (ctx, { staffId, lastDay }) => {
  const { db } = ctx;
  const years = await openYears(ctx, lastDay).execute();
  const rows = await readFrom(
    ctx,
    staffId,
    lastDay,
    years.map(({ id }) => id),
  );
  const ending = rows.filter(({ entry, yearEndsOn }) => (entry.effectiveTo || yearEndsOn) > lastDay);
  const [cut, dropped] = [
    ending.filter((row) => !isLater(row, lastDay)),
    ending.filter((row) => isLater(row, lastDay)),
  ];
  if (cut.length > 0)
    await updateAll(
      db,
      ['effectiveTo'],
      cut.map(({ id }) => ({ id, effectiveTo: lastDay })),
    );
  if (dropped.length > 0)
    await db
      .deleteFrom('academic_section_teacher')
      .where(
        'id',
        'in',
        dropped.map(({ id }) => id),
      )
      .execute();
  await auditAll(ctx, [
    ...cut.map(({ entry, ...names }) =>
      noteOf('changed', { ...entry, effectiveTo: lastDay }, namesOf(names), {
        Before: `${entry.effectiveFrom} – ${entry.effectiveTo}`,
      }),
    ),
    ...dropped.map(({ entry, ...names }) => noteOf('removed', entry, namesOf(names))),
  ]);
  return {
    ends: ending.map((row) => wordsOf(row, lastDay)),
    blocks: rows
      .filter(({ isCovered }) => !isCovered)
      .map(({ section, nextDay: day }) => text`${{ section }} has no class teacher from ${{ day: showDate(day) }}.`),
    basis: rows.map(({ id, version, isCovered }) => [id, version, isCovered]),
  };
});

/** The assignments of these years that hold on the last day or later, with what follows them. */
const readFrom = ({ db, now }: ActingContext, staffId: number, lastDay: string, years: number[]) => {
  const nextDay = sql<string>`greatest(own.effective_from, ${addDays(lastDay, 1)}::date, ${toLocalDate(now())}::date)`;
  return db
    .selectFrom('academic_section_teacher as own')
    .innerJoin('academic_year as year', 'year.id', 'own.academic_year_id')
    .innerJoin('academic_section as section', 'section.id', 'own.section_id')
    .innerJoin('academic_grade as grade', 'grade.id', 'section.grade_id')
    .innerJoin('staff', 'staff.id', 'own.staff_id')
    .leftJoin('configuration_subject as subject', 'subject.id', 'own.subject_id')
    .where('own.staff_id', '=', staffId)
    .where('own.academic_year_id', '=', sql<number>`any(${years}::integer[])`)
    .where(sql<boolean>`coalesce(own.effective_to, year.ends_on) >= ${lastDay}::date`)
    .select((from) => [
      'own.id',
      'own.version',
      'staff.name as teacher',
      'subject.name as subject',
      'year.ends_on as yearEndsOn',
      entryOf.as('entry'),
      from.fn<string>('academic_section_name', ['grade.name', 'section.name']).as('section'),
      sql<string>`${nextDay}::text`.as('nextDay'),
      // After the year nobody is needed, nor in an inactive section.
      sql<boolean>`own.role <> 'Class teacher' or ${nextDay} > year.ends_on or not section.is_active or exists (
        select from academic_section_teacher other
        where other.section_id = own.section_id and other.role = 'Class teacher' and other.staff_id <> own.staff_id
          and other.effective_from <= ${nextDay} and coalesce(other.effective_to, year.ends_on) >= ${nextDay})`.as(
        'isCovered',
      ),
    ])
    .orderBy('own.effective_from')
    .orderBy('own.id')
    .forUpdate('own')
    .execute();
};

type Row = Awaited<ReturnType<typeof readFrom>>[number];

const isLater = ({ entry }: Pick<Row, 'entry'>, lastDay: string) => entry.effectiveFrom > lastDay;

const namesOf = ({ section, teacher, subject }: Pick<Row, 'section' | 'teacher' | 'subject'>) => ({
  section,
  staffId: teacher,
  subjectId: subject,
});

function wordsOf({ entry, section, subject }: Row, lastDay: string): Text {
  if (entry.effectiveFrom > lastDay) return plannedOf(entry, section, subject ?? '');
  const day = showDate(lastDay);
  if (entry.role === 'Class teacher') return text`Class teacher of ${{ section }} until ${{ day }}`;
  if (entry.role === 'Co-class teacher') return text`Co-class teacher of ${{ section }} until ${{ day }}`;
  return text`${{ subject: subject ?? '' }} teacher of ${{ section }} until ${{ day }}`;
}

function plannedOf({ role, effectiveFrom }: Entry, section: string, subject: string): Text {
  const day = showDate(effectiveFrom);
  if (role === 'Class teacher') return text`Class teacher of ${{ section }} from ${{ day }}: cancelled`;
  if (role === 'Co-class teacher') return text`Co-class teacher of ${{ section }} from ${{ day }}: cancelled`;
  return text`${{ subject }} teacher of ${{ section }} from ${{ day }}: cancelled`;
}
