import { sql } from 'kysely';
import { readYear, requireOpen } from '#features/calendar/api.ts';
import { AppError } from '#kit/contract/errors.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { notFound } from '#kit/server/record/version.ts';
import { auditAll } from '#kit/server/security/audit.ts';
import type { EnrolmentChange } from '../../contract/hooks.ts';
import type { sectionStudentApi } from '../../contract/section-student.ts';
import type { Ended } from '../leaving/undo-leaving.ts';
import { listNames } from '../list-names.ts';
import { askOthers } from './ask-others.ts';
import { withPlacementMessages } from './placement.ts';

export const undoPromotion: Handler<typeof sectionStudentApi.undoPromotion> = (ctx, { id, confirmToken }) =>
  previewOrApply(ctx, confirmToken, () => withPlacementMessages(ctx, () => undoAll(ctx, id)));

const results = { Promoted: text`Promoted`, Detained: text`Detained`, Left: text`Leaving` };
type Result = keyof typeof results;

interface Undone {
  returns: { result: Text; names: string[] }[];
  unassigned: number;
  also: Text[];
  blocks: Text[];
}

async function undoAll(ctx: UserContext, id: number): Promise<{ answer: Undone; basis: unknown; isRefused: boolean }> {
  const { db, now, user } = ctx;
  const promotion = await lockPromotion(ctx, id);
  const rows = await lockStudents(ctx, promotion);
  const changed = blocksOf(rows, promotion);
  if (changed.length > 0) {
    const answer = { returns: [], unassigned: 0, also: [], blocks: changed };
    return { answer, basis: [id, answer], isRefused: true };
  }
  // Who left the promotion before, such as by undoing the own leaving, stays as the student is.
  const acting = rows.filter(({ status }) => status in results);
  const leaving = acting.filter(({ leaving_id }) => leaving_id !== null);
  const entered = acting.flatMap(({ later_id }) => (later_id === null ? [] : [later_id]));
  if (leaving.length > 0) await undoLeavings(ctx, leaving);
  const { numDeletedRows } = await db
    .deleteFrom('student_section')
    .where('enrollment_id', '=', sql<number>`any(${entered}::integer[])`)
    .executeTakeFirstOrThrow();
  await sql`update student_enrollment set status = 'Cancelled', cancelled_as = 'Promotion undone'
    where id = any(${entered}::integer[])`.execute(db);
  await sql`update student_enrollment set status = 'Active', left_on = null, promotion_id = null
    where id = any(${acting.map((row) => row.id)}::integer[])`.execute(db);
  await db
    .updateTable('academic_promotion')
    .set({ undone_at: now(), undone_by: user.name })
    .where('id', '=', id)
    .execute();
  const others = await askOthers(ctx, changesOf(acting, promotion));
  await auditAll(
    ctx,
    acting.map(({ student_id, name, status }) => ({
      action: 'section-student.promotion-undone',
      entity: 'student',
      entityId: student_id,
      details: { Student: name, Result: status, 'From year': promotion.from.name, 'Into year': promotion.to.name },
    })),
  );
  const answer = {
    returns: (Object.keys(results) as Result[]).flatMap((result) => {
      const own = acting.filter(({ status }) => status === result);
      return own.length > 0 ? [{ result: results[result], names: own.map(({ name }) => name) }] : [];
    }),
    unassigned: Number(numDeletedRows),
    also: others.texts,
    blocks: others.blocks,
  };
  return { answer, basis: [id, answer, others.basis], isRefused: answer.blocks.length > 0 };
}

/** Locks the two years, the earlier one first, and then the promotion. */
async function lockPromotion(ctx: UserContext, id: number) {
  const known = await ctx.db
    .selectFrom('academic_promotion')
    .where('id', '=', id)
    .selectAll()
    .executeTakeFirstOrThrow(notFound);
  const from = await readYear(ctx, known.academic_year_id, true);
  const to = await readYear(ctx, known.to_year_id, true);
  for (const year of [from, to]) requireOpen(year);
  const own = await ctx.db
    .selectFrom('academic_promotion')
    .where('id', '=', id)
    .select(['id', 'grade_id', 'to_grade_id', 'undone_at'])
    .forUpdate()
    .executeTakeFirstOrThrow();
  if (own.undone_at) throw new AppError('conflict', text`This promotion was undone. Reload the page.`);
  return { ...own, from, to };
}
type Promotion = Awaited<ReturnType<typeof lockPromotion>>;

/** The students of a promotion, with their enrolment in the new year and the leaving that it made. */
async function lockStudents({ db }: UserContext, { id, to }: Promotion) {
  const { rows: locked } = await sql<{ id: number }>`
    select id from student_enrollment where promotion_id = ${id} or (academic_year_id = ${to.id} and is_standing
      and student_id in (select student_id from student_enrollment where promotion_id = ${id}))
    order by id for update`.execute(db);
  if (locked.length === 0) return [];
  return db
    .selectFrom('student_enrollment as own')
    .innerJoin('student', 'student.id', 'own.student_id')
    .leftJoin('student_enrollment as later', (join) =>
      join
        .onRef('later.student_id', '=', 'own.student_id')
        .on('later.academic_year_id', '=', to.id)
        .on('later.is_standing', '=', true),
    )
    .leftJoin('student_leaving as leaving', (join) =>
      join
        .onRef('leaving.student_id', '=', 'own.student_id')
        .on('leaving.promotion_id', '=', id)
        .on('leaving.undone_at', 'is', null)
        .on('leaving.readmitted_on', 'is', null),
    )
    .where('own.promotion_id', '=', id)
    .select(['own.id', 'own.student_id', 'own.status', 'own.academic_year_id', 'student.name'])
    .select(['later.id as later_id', 'later.status as later_status', 'later.grade_id as later_grade'])
    .select(['later.joined_on as later_from', 'leaving.id as leaving_id', 'leaving.ended'])
    .select((from) =>
      from
        .exists(
          from
            .selectFrom('student_certificate as certificate')
            .whereRef('certificate.leaving_id', '=', 'leaving.id')
            .where('certificate.handed_out_on', 'is not', null)
            .where('certificate.voided_at', 'is', null)
            .select('certificate.id'),
        )
        .as('is_handed_out'),
    )
    .orderBy('student.sort_name')
    .orderBy('student.id')
    .execute();
}
type Row = Awaited<ReturnType<typeof lockStudents>>[number];

/** What has happened since, by kind. */
function blocksOf(rows: readonly Row[], { grade_id, to_grade_id, to }: Promotion): Text[] {
  const kinds: [(row: Row) => boolean, (students: Text) => Text][] = [
    [
      ({ status, leaving_id }) => status === 'Left' && leaving_id === null,
      (students) => text`Left or came back since: ${{ students }}`,
    ],
    [
      ({ is_handed_out }) => Boolean(is_handed_out),
      (students) => text`Leaving certificate handed out: ${{ students }}`,
    ],
    [
      ({ status, later_id }) => (status === 'Promoted' || status === 'Detained') && later_id === null,
      (students) => text`No longer in the new year: ${{ students }}`,
    ],
    [
      ({ status, later_id, later_status, later_grade, later_from }) =>
        later_id !== null &&
        (later_status !== 'Active' ||
          later_from !== to.starts_on ||
          later_grade !== (status === 'Promoted' ? to_grade_id : grade_id)),
      (students) => text`Changed in the new year since: ${{ students }}`,
    ],
  ];
  return kinds.flatMap(([isOne, say]) => {
    const own = rows.filter((row) => row.status in results && isOne(row));
    return own.length > 0 ? [say(listNames(own.map(({ name }) => name)))] : [];
  });
}

async function undoLeavings({ db, now, user }: UserContext, rows: readonly Row[]) {
  const leavings = rows.map(({ leaving_id }) => leaving_id);
  await db
    .updateTable('student_certificate')
    .set({ voided_at: now(), void_reason: 'The promotion was undone' })
    .where('leaving_id', '=', sql<number>`any(${leavings}::integer[])`)
    .where('voided_at', 'is', null)
    .execute();
  await sql`update student_leaving set undone_at = ${now()}, undone_by = ${user.name},
    undo_reason = 'The promotion was undone', version = version + 1
    where id = any(${leavings}::integer[])`.execute(db);
  await db
    .updateTable('student')
    .set({ version: sql`version + 1` })
    .where('id', '=', sql<number>`any(${rows.map(({ student_id }) => student_id)}::integer[])`)
    .execute();
}

const changesOf = (rows: readonly Row[], { from, to }: Promotion): EnrolmentChange[] =>
  rows.flatMap((row): EnrolmentChange[] => {
    const { student_id: studentId, id, later_id } = row;
    const back = { studentId, enrollmentId: id, yearId: from.id, kind: 'back' as const, day: to.starts_on };
    if (row.leaving_id !== null) return [{ ...back, kept: (row.ended as unknown as Ended).kept?.[id] ?? {} }];
    return later_id === null
      ? []
      : [{ studentId, enrollmentId: later_id, yearId: to.id, kind: 'cancelled', day: from.ends_on }];
  });
