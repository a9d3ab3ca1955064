import { sql } from 'kysely';
import { studentKeepers } from '#access/contract/grants.ts';
import { lookupsOf } from '#features/school/api.ts';
import { showDate } from '#kit/contract/day.ts';
import { fieldRefusal } from '#kit/contract/errors.ts';
import { inactiveMessage } from '#kit/contract/field.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { columnsIn, toOutput, toWire } from '#kit/server/database/row-map.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { ask } from '#kit/server/hook.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { audit } from '#kit/server/security/audit.ts';
import { type EnrolmentChange, leavingCheck } from '../../contract/hooks.ts';
import { leaving, leavingApi, leavingFields, leavingReaders, leavingReasons } from '../../contract/leaving.ts';
import { askOthers } from '../enrolment/ask-others.ts';
import { basisOf, type Child, type ChildEnrollment, lockChild, raiseVersion } from '../enrolment/child.ts';
import { withPlacementMessages } from '../enrolment/placement.ts';
import { readmit } from '../enrolment/readmit.ts';
import { requireStudent, studentsSeen } from '../visible.ts';
import { type Ended, keptSections, undo, undoLeaving } from './undo-leaving.ts';

const leavings: Handler<typeof leavingApi.leavings> = async (ctx, { id }) => {
  await requireStudent(ctx, id, leavingReaders);
  const rows = await ctx.db
    .selectFrom('student_leaving as own')
    .innerJoin('academic_lookup as reason', 'reason.id', 'own.reason_id')
    .innerJoin('student_enrollment as enrollment', 'enrollment.id', 'own.enrollment_id')
    .innerJoin('academic_year as year', 'year.id', 'enrollment.academic_year_id')
    .where('own.student_id', '=', id)
    .select([
      'own.id',
      ...columnsIn('own', leavingFields),
      'own.decided_by',
      'own.decided_at',
      'own.undone_at',
      'own.undone_by',
      'own.undo_reason',
    ])
    .select(['own.readmitted_on', 'reason.name as reason', 'year.status as year_status'])
    .select(['enrollment.status as enrollment_status'])
    .select((from) =>
      from
        .exists(
          from
            .selectFrom('student_certificate as certificate')
            .whereRef('certificate.leaving_id', '=', 'own.id')
            .where('certificate.handed_out_on', 'is not', null)
            .where('certificate.voided_at', 'is', null)
            .select('certificate.id'),
        )
        .as('is_handed_out'),
    )
    .orderBy('own.id', 'desc')
    .execute();
  const keeps = await studentsSeen(ctx, studentKeepers).where('student.id', '=', id).select('student.id').execute();
  const open = rows.find(({ undone_at, readmitted_on }) => undone_at === null && readmitted_on === null);
  const mayChange = keeps.length > 0 && !open?.is_handed_out;
  return {
    leavings: rows.map((row) =>
      toOutput(leaving, row, {
        saved: toWire(leavingFields, row),
        by: row.decided_by,
        at: row.decided_at.toISOString(),
        isUndone: row.undone_at !== null,
      }),
    ),
    may: {
      leave: mayChange,
      undo: mayChange && open !== undefined && !(open.enrollment_status === 'Left' && open.year_status === 'Closed'),
      readmit: keeps.length > 0 && open !== undefined,
      ...(await mayNeverJoin(ctx, id, keeps.length > 0 && open === undefined)),
    },
  };
};

/** For so many days an enrolment may turn out never to have begun; later the last day is entered. */
const mostDays = 90;

async function mayNeverJoin({ db, now }: UserContext, id: number, keeps: boolean) {
  const since = addDays(toLocalDate(now()), -mostDays);
  const { rows } = await sql<{ isOpen: boolean; isCancelled: boolean }>`
    select coalesce(bool_or(own.status = 'Active' and own.joined_on >= ${since}::date), false) as "isOpen",
      coalesce(bool_or(own.never_joined is not null and not exists (select from student_enrollment other
        where other.student_id = own.student_id and other.is_standing and other.joined_on >= own.joined_on)), false)
        as "isCancelled"
    from student_enrollment own join academic_year year on year.id = own.academic_year_id and year.status <> 'Closed'
    where own.student_id = ${id}`.execute(db);
  const [found] = rows;
  return { neverJoined: keeps && Boolean(found?.isOpen), undoNeverJoined: keeps && Boolean(found?.isCancelled) };
}

const leave: Handler<typeof leavingApi.leave> = (ctx, { confirmToken, ...input }) =>
  previewOrApply(ctx, confirmToken, () =>
    withPlacementMessages(ctx, async () => {
      const { id, lastDay } = input;
      await requireStudent(ctx, id, studentKeepers);
      const reason = await requireReason(ctx, input.reasonId);
      const before = await lockChild(ctx, id);
      // A leaving with another day or reason: the first one is undone in the same act.
      const undone = before.leaving && (await undoLeaving(ctx, before, before.leaving, 'Changed'));
      const child = undone ? await lockChild(ctx, id) : before;
      const { ending, changes, texts, ended } = await endEnrollments(ctx, child, lastDay);
      const others = await askOthers(ctx, changes);
      await ctx.db
        .insertInto('student_leaving')
        .values({
          student_id: id,
          enrollment_id: ending.id,
          last_day: lastDay,
          reason_id: reason.id,
          conduct: input.conduct,
          progress: input.progress,
          next_school: input.nextSchool,
          remark: input.remark,
          ended: JSON.stringify({ ...ended, kept: others.kept } satisfies Ended),
          decided_by: ctx.user.name,
          decided_at: ctx.now(),
        })
        .execute();
      await raiseVersion(ctx, [id]);
      const owed = await ask(ctx, leavingCheck, { studentIds: [id], day: lastDay });
      const ends = [...texts, ...(undone?.voided ?? []), ...others.texts];
      const blocks = [...(undone?.blocks ?? []), ...others.blocks];
      const details = { 'Last day': lastDay, Reason: reason.name, Conduct: input.conduct, Progress: input.progress };
      await audit(ctx, {
        action: 'student.left',
        entity: 'student',
        entityId: id,
        details: { ...details, ...(input.nextSchool && { 'Next school': input.nextSchool }) },
      });
      return {
        answer: { ends, owes: owed.flatMap(({ output }) => output.get(id) ?? []), blocks },
        basis: [input, basisOf(before), undone?.basis, ends, others.basis],
        isRefused: blocks.length > 0,
      };
    }),
  );

async function requireReason({ db }: UserContext, id: number | null) {
  const reason = await db
    .selectFrom('academic_lookup')
    .where('id', '=', id)
    .where('kind', '=', 'Leaving reason')
    .where('is_active', '=', true)
    .select(['id', 'name'])
    .executeTakeFirst();
  if (!reason) throw fieldRefusal('reasonId', inactiveMessage);
  return reason;
}

/** The enrolment that holds the last day, and those that begin later. */
function enrollmentsFor({ enrollments }: Child, lastDay: string) {
  const standing = enrollments.filter(({ is_standing, status }) => is_standing && status !== 'Left');
  const later = standing.filter(({ joined_on }) => joined_on > lastDay);
  const ending = standing.find(
    ({ joined_on, year }) => joined_on <= lastDay && year.starts_on <= lastDay && lastDay <= year.ends_on,
  );
  const [first] = standing;
  if (!ending && first && lastDay < first.joined_on)
    throw fieldRefusal('lastDay', text`Choose ${{ day: showDate(first.joined_on) }}, the first day, or a later day.`);
  if (!ending) throw fieldRefusal('lastDay', text`The student is not enrolled on this day. Choose another one.`);
  if (ending.year.status === 'Closed' && lastDay !== ending.year.ends_on)
    throw fieldRefusal('lastDay', closedWords(ending, later[0]));
  return { ending, later };
}

function closedWords({ year }: ChildEnrollment, next: ChildEnrollment | undefined): Text {
  const values = { year: year.name, day: showDate(year.ends_on) };
  return next
    ? text`${{ year: values.year }} is closed. Choose ${{ day: values.day }} or a day of ${{ next: next.year.name }}.`
    : text`${{ year: values.year }} is closed. Choose ${{ day: values.day }}.`;
}

/** Ends an enrolment with its sections on the last day, and cancels later enrolments. In a closed year it stays. */
async function endEnrollments({ db }: UserContext, child: Child, lastDay: string) {
  const { ending, later } = enrollmentsFor(child, lastDay);
  const isOpen = ending.year.status !== 'Closed';
  const day = showDate(lastDay);
  const isAfter = (own: ChildEnrollment['sections'][number]) => own.effective_from > lastDay;
  const cut = isOpen
    ? ending.sections.filter((own) => !isAfter(own) && (own.effective_to ?? ending.year.ends_on) > lastDay)
    : [];
  const dropped = [...(isOpen ? ending.sections.filter(isAfter) : []), ...later.flatMap(({ sections }) => sections)];
  if (dropped.length > 0)
    await db
      .deleteFrom('student_section')
      .where(
        'id',
        'in',
        dropped.map(({ id }) => id),
      )
      .execute();
  if (cut.length > 0)
    await db
      .updateTable('student_section')
      .set({ effective_to: lastDay })
      .where(
        'id',
        'in',
        cut.map(({ id }) => id),
      )
      .execute();
  if (isOpen)
    await db
      .updateTable('student_enrollment')
      .set({ status: 'Left', left_on: lastDay })
      .where('id', '=', ending.id)
      .execute();
  if (later.length > 0)
    await db
      .updateTable('student_enrollment')
      .set({ status: 'Cancelled', cancelled_as: 'Left first' })
      .where(
        'id',
        'in',
        later.map(({ id }) => id),
      )
      .execute();
  const ended = [...(isOpen ? [ending] : []), ...later];
  const changes = ended.map((enrollment): EnrolmentChange => {
    const { id: enrollmentId, academic_year_id: yearId } = enrollment;
    return {
      studentId: child.student.id,
      enrollmentId,
      yearId,
      kind: enrollment === ending ? 'left' : 'cancelled',
      day: lastDay,
    };
  });
  const texts = [
    ...(isOpen ? [text`${{ grade: ending.grade }}, ${{ year: ending.year.name }}: until ${{ day }}`] : []),
    ...cut.map(({ section }) => text`${{ section }}: until ${{ day }}`),
    ...later.map(({ grade, year }) => text`${{ grade }}, ${{ year: year.name }}: cancelled`),
    ...dropped.map(
      ({ section, effective_from }) => text`${{ section }} from ${{ day: showDate(effective_from) }}: cancelled`,
    ),
  ];
  return {
    ending,
    changes,
    texts,
    ended: {
      enrollments: ended.map(({ id, status, left_on }) => ({ id, status, left_on })),
      sections: keptSections([...cut, ...dropped], (own) => cut.includes(own)),
    },
  };
}

export const leavingRoutes = routes(leavingApi, {
  reasons: lookupsOf(leavingReasons),
  leavings,
  leave,
  undo,
  readmit,
});
