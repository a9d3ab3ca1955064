import { studentKeepers } from '#access/contract/grants.ts';
import { requireOpen } from '#features/calendar/api.ts';
import { showDate } from '#kit/contract/day.ts';
import { AppError } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import { addDays } from '#kit/server/day.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { audit } from '#kit/server/security/audit.ts';
import { neverJoinedApi } from '../../contract/never-joined.ts';
import { askOthers } from '../enrolment/ask-others.ts';
import { basisOf, type Child, type ChildEnrollment, lockChild, raiseVersion } from '../enrolment/child.ts';
import { withPlacementMessages } from '../enrolment/placement.ts';
import { requireStudent } from '../visible.ts';
import { type Ended, keptSections, restoreSections } from './undo-leaving.ts';

/** What an enrolment had, as the column keeps it. */
type Kept = Required<Pick<Ended, 'sections'>> & { others: Record<string, unknown> };

const messages = {
  leaves: text`The student has a last day. Undo the leaving first.`,
  notEnrolled: text`The student is enrolled in no year. Remove a record that was entered by mistake.`,
  notCancelled: text`The student has joined, or is enrolled again. Reload the page.`,
};

/** The enrolment that a child may turn out never to have begun: the latest one that is open. */
const unbegun = ({ enrollments }: Pick<Child, 'enrollments'>) =>
  enrollments.findLast(({ is_standing, status }) => is_standing && status === 'Active');

/** The enrolment that a child never began, while no other has taken its place. */
const begunAgain = ({ enrollments }: Pick<Child, 'enrollments'>) => {
  const own = enrollments.findLast(({ never_joined }) => never_joined !== null);
  const isTaken = enrollments.some((one) => one.is_standing && one.joined_on >= (own?.joined_on ?? ''));
  return isTaken ? undefined : own;
};

const details = ({ year, grade }: ChildEnrollment, reason: string) => ({
  'Academic year': year.name,
  Grade: grade,
  Reason: reason,
});

const cancel: Handler<typeof neverJoinedApi.cancel> = (ctx, { confirmToken, ...input }) =>
  previewOrApply(ctx, confirmToken, () =>
    withPlacementMessages(ctx, async () => {
      const { id, reason } = input;
      await requireStudent(ctx, id, studentKeepers);
      const child = await lockChild(ctx, id);
      if (child.leaving) throw new AppError('conflict', messages.leaves);
      const own = unbegun(child);
      if (!own) throw new AppError('conflict', messages.notEnrolled);
      requireOpen(own.year);
      await ctx.db.deleteFrom('student_section').where('enrollment_id', '=', own.id).execute();
      await ctx.db
        .updateTable('student_enrollment')
        .set({ status: 'Cancelled', cancelled_as: 'No-show' })
        .where('id', '=', own.id)
        .execute();
      const others = await askOthers(ctx, [
        {
          studentId: id,
          enrollmentId: own.id,
          yearId: own.academic_year_id,
          kind: 'cancelled',
          day: addDays(own.joined_on, -1),
          neverJoined: true,
        },
      ]);
      const kept: Kept = { sections: keptSections(own.sections, () => false), others: others.kept[own.id] ?? {} };
      await ctx.db
        .updateTable('student_enrollment')
        .set({ never_joined: JSON.stringify(kept) })
        .where('id', '=', own.id)
        .execute();
      await raiseVersion(ctx, [id]);
      await audit(ctx, {
        action: 'student.never-joined',
        entity: 'student',
        entityId: id,
        details: details(own, reason),
      });
      const ends = [
        text`${{ grade: own.grade }}, ${{ year: own.year.name }}: cancelled`,
        ...own.sections.map(
          ({ section, effective_from }) => text`${{ section }} from ${{ day: showDate(effective_from) }}: cancelled`,
        ),
        ...others.texts,
      ];
      return {
        answer: { ends, blocks: others.blocks },
        basis: [input, basisOf(child), ends, others.basis],
        isRefused: others.blocks.length > 0,
      };
    }),
  );

const undo: Handler<typeof neverJoinedApi.undo> = (ctx, { confirmToken, ...input }) =>
  previewOrApply(ctx, confirmToken, () =>
    withPlacementMessages(ctx, async () => {
      const { id, reason } = input;
      await requireStudent(ctx, id, studentKeepers);
      const child = await lockChild(ctx, id);
      const own = begunAgain(child);
      if (!own) throw new AppError('conflict', messages.notCancelled);
      requireOpen(own.year);
      const kept = own.never_joined as unknown as Kept;
      await ctx.db
        .updateTable('student_enrollment')
        .set({ status: 'Active', cancelled_as: null, never_joined: null })
        .where('id', '=', own.id)
        .execute();
      const before = { student_id: id, last_day: addDays(own.joined_on, -1) };
      const sections = await restoreSections(ctx, child, before, kept.sections);
      await raiseVersion(ctx, [id]);
      const others = await askOthers(ctx, [
        {
          studentId: id,
          enrollmentId: own.id,
          yearId: own.academic_year_id,
          kind: 'back',
          day: own.joined_on,
          kept: kept.others,
        },
      ]);
      await audit(ctx, {
        action: 'student.never-joined-undone',
        entity: 'student',
        entityId: id,
        details: details(own, reason),
      });
      const returns = [text`${{ grade: own.grade }}, ${{ year: own.year.name }}`, ...sections, ...others.texts];
      return {
        answer: { returns, blocks: others.blocks },
        basis: [input, basisOf(child), returns, others.basis],
        isRefused: others.blocks.length > 0,
      };
    }),
  );

export const neverJoinedRoutes = routes(neverJoinedApi, { cancel, undo });
