import { sql } from 'kysely';
import { withdrawApproval } from '#features/approval/api.ts';
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
import { resultKind } from './correct-result.ts';
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
  const { undone, unassigned, also, blocks, basis } = await undoPromotions(ctx, [id], {});
  const answer = {
    returns: (Object.keys(results) as Result[]).flatMap((result) => {
      const own = undone.filter(({ status }) => status === result);
      return own.length > 0 ? [{ result: results[result], names: own.map(({ name }) => name) }] : [];
    }),
    unassigned,
    also,
    blocks,
  };
  return { answer, basis: [id, answer, basis], isRefused: blocks.length > 0 };
}

/** A child of a promotion that is undone, with what follows for it alone, and what keeps it from being undone. */
interface UndoneChild extends Row {
  grade: string;
  also: Text[];
  ownBlocks: Text[];
}

/**
 * Undoes promotions of one pair of years for all students but those in `leaves`, or for `studentId` only: a promotion stands
 * for those who remain. Nothing is written where a student has changed since.
 */
export async function undoPromotions(
  ctx: UserContext,
  ids: readonly number[],
  { leaves = [], studentId = null }: { leaves?: readonly number[]; studentId?: number | null },
) {
  const { db, now, user } = ctx;
  const promotions = await lockPromotions(ctx, ids);
  const rows = (await lockStudents(ctx, promotions)).filter(({ status }) => status in results);
  const left = rows.filter(({ student_id }) => leaves.includes(student_id));
  // Who left the promotion before, such as by undoing the own leaving, stays as the student is.
  const acting = rows.filter((row) => !left.includes(row) && (studentId === null || row.student_id === studentId));
  const named = { left: left.map(({ name }) => name), unassigned: 0, also: [] as Text[] };
  const changed = promotions.flatMap((promotion) =>
    blocksOf(
      acting.filter(({ promotion_id }) => promotion_id === promotion.id),
      promotion,
    ),
  );
  if (changed.length > 0) {
    const undone = acting.map((row): UndoneChild => ({ ...row, also: [], ownBlocks: ownBlocks(row, promotions) }));
    return { ...named, undone, blocks: changed, basis: changed };
  }
  await keepCorrections(
    ctx,
    acting.map(({ id }) => id),
  );
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
  const remaining = rows.filter((row) => !acting.includes(row));
  const whole = promotions.filter(({ id }) => !remaining.some(({ promotion_id }) => promotion_id === id));
  await db
    .updateTable('academic_promotion')
    .set({ undone_at: now(), undone_by: user.name })
    .where('id', '=', sql<number>`any(${whole.map(({ id }) => id)}::integer[])`)
    .execute();
  const others = await askOthers(ctx, changesOf(acting, promotions));
  await auditAll(
    ctx,
    acting.map(({ student_id, name, status, from, to }) => ({
      action: 'section-student.promotion-undone',
      entity: 'student',
      entityId: student_id,
      details: { Student: name, Result: status, 'From year': from, 'Into year': to },
    })),
  );
  const of = (studentId: number, isBlock: boolean) =>
    others.each.flatMap((one) => (one.studentId === studentId && (one.isBlock ?? false) === isBlock ? [one.text] : []));
  const undone = acting.map(
    (row): UndoneChild => ({ ...row, also: of(row.student_id, false), ownBlocks: of(row.student_id, true) }),
  );
  const ownOf = undone.flatMap(({ name, ownBlocks: own }) => own.map((words) => text`${{ name }}: ${{ words }}`));
  return {
    ...named,
    undone,
    unassigned: Number(numDeletedRows),
    also: others.texts,
    blocks: [...others.blocks, ...ownOf],
    basis: [others.basis, leaves],
  };
}

/** The next turn decides what a correction said; what still waits for the principal ends with the result that it was about. */
async function keepCorrections(ctx: UserContext, enrollmentIds: readonly number[]) {
  const { db, user } = ctx;
  const ids = sql`any(${[...enrollmentIds]}::integer[])`;
  await sql`insert into student_result (enrollment_id, academic_year_id, decision, reason, source, decided_by)
    select own.id, own.academic_year_id, case own.status when 'Promoted' then 'Promote' else 'Detain' end, change.reason,
      'Hand', ${user.name}
    from student_enrollment own
    join lateral (select reason from student_result_change applied where applied.enrollment_id = own.id
      and applied.applied_at is not null order by applied.id desc limit 1) as change on true
    where own.id = ${ids} and own.status in ('Promoted', 'Detained')
    on conflict (enrollment_id) do update set decision = excluded.decision, reason = excluded.reason,
      source = excluded.source, decided_by = excluded.decided_by, decided_at = school_now(),
      version = student_result.version + 1`.execute(db);
  const { rows: waiting } = await sql<{ id: number }>`update student_result_change set outcome = 'Withdrawn'
    where enrollment_id = ${ids} and applied_at is null and outcome is null returning id`.execute(db);
  for (const { id } of waiting) await withdrawApproval(ctx, { kind: resultKind, subjectId: id });
}

/** Locks the two years, the earlier one first, and then the promotions. */
async function lockPromotions({ db }: UserContext, ids: readonly number[]) {
  const chosen = db.selectFrom('academic_promotion').where('id', '=', sql<number>`any(${[...ids]}::integer[])`);
  const [known] = await chosen.select(['academic_year_id', 'to_year_id']).limit(1).execute();
  if (!known) throw notFound();
  const from = await readYear({ db }, known.academic_year_id, true);
  const to = await readYear({ db }, known.to_year_id, true);
  for (const year of [from, to]) requireOpen(year);
  const rows = await chosen
    .select(['id', 'grade_id', 'to_grade_id', 'undone_at'])
    .where('to_year_id', '=', to.id)
    .orderBy('id')
    .forUpdate()
    .execute();
  if (rows.some(({ undone_at }) => undone_at !== null))
    throw new AppError('conflict', text`This promotion was undone. Reload the page.`);
  return rows.map((row) => ({ ...row, from, to }));
}
type Promotion = Awaited<ReturnType<typeof lockPromotions>>[number];

/** The students of promotions, with their enrolment in the new year and the leaving that each made. */
async function lockStudents({ db }: UserContext, promotions: readonly Promotion[]) {
  const ids = promotions.map(({ id }) => id);
  const to = promotions[0]?.to.id ?? 0;
  const { rows: locked } = await sql<{ id: number }>`
    select id from student_enrollment where promotion_id = any(${ids}::integer[]) or (academic_year_id = ${to}
      and is_standing and student_id in (select student_id from student_enrollment
        where promotion_id = any(${ids}::integer[])))
    order by id for update`.execute(db);
  if (locked.length === 0) return [];
  return db
    .selectFrom('student_enrollment as own')
    .innerJoin('student', 'student.id', 'own.student_id')
    .innerJoin('academic_grade as grade', 'grade.id', 'own.grade_id')
    .innerJoin('academic_promotion as promotion', 'promotion.id', 'own.promotion_id')
    .innerJoin('academic_year as from_year', 'from_year.id', 'promotion.academic_year_id')
    .innerJoin('academic_year as to_year', 'to_year.id', 'promotion.to_year_id')
    .leftJoin('student_enrollment as later', (join) =>
      join
        .onRef('later.student_id', '=', 'own.student_id')
        .on('later.academic_year_id', '=', to)
        .on('later.is_standing', '=', true),
    )
    .leftJoin('student_leaving as leaving', (join) =>
      join
        .onRef('leaving.student_id', '=', 'own.student_id')
        .onRef('leaving.promotion_id', '=', 'own.promotion_id')
        .on('leaving.undone_at', 'is', null)
        .on('leaving.readmitted_on', 'is', null),
    )
    .where('own.promotion_id', '=', sql<number>`any(${ids}::integer[])`)
    .select(['own.id', 'own.student_id', 'own.status', 'own.academic_year_id', 'student.name', 'grade.name as grade'])
    .select(['promotion.id as promotion_id', 'from_year.name as from', 'to_year.name as to'])
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
    .orderBy('grade.position')
    .orderBy('student.sort_name')
    .orderBy('student.id')
    .execute();
}
type Row = Awaited<ReturnType<typeof lockStudents>>[number];

/** What has happened since, by kind. */
function blocksOf(rows: readonly Row[], promotion: Promotion): Text[] {
  return kindsOf(promotion).flatMap(([isOne, say]) => {
    const own = rows.filter((row) => row.status in results && isOne(row));
    return own.length > 0 ? [say(listNames(own.map(({ name }) => name)))] : [];
  });
}

/** The same of one student. */
const ownBlocks = (row: Row, promotions: readonly Promotion[]): Text[] =>
  promotions.flatMap((promotion) => (promotion.id === row.promotion_id ? blocksOf([row], promotion) : []));

function kindsOf({ grade_id, to_grade_id, to }: Promotion): [(row: Row) => boolean, (students: Text) => Text][] {
  return [
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

const changesOf = (rows: readonly Row[], promotions: readonly Promotion[]): EnrolmentChange[] =>
  rows.flatMap((row): EnrolmentChange[] => {
    const promotion = promotions.find(({ id }) => id === row.promotion_id);
    if (!promotion) return [];
    const { from, to } = promotion;
    const { student_id: studentId, id, later_id } = row;
    const back = { studentId, enrollmentId: id, yearId: from.id, kind: 'back' as const, day: to.starts_on };
    if (row.leaving_id !== null) return [{ ...back, kept: (row.ended as unknown as Ended).kept?.[id] ?? {} }];
    return later_id === null
      ? []
      : [{ studentId, enrollmentId: later_id, yearId: to.id, kind: 'cancelled', day: from.ends_on, isPromotion: true }];
  });
