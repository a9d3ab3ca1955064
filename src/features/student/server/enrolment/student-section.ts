import { studentKeepers } from '#access/contract/grants.ts';
import { AppError, fieldRefusal } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { notFound } from '#kit/server/record/version.ts';
import { studentSectionApi } from '../../contract/student-section.ts';
import { studentsSeen } from '../visible.ts';
import { moveAll } from './move.ts';
import { setRoll } from './roll-number.ts';

const otherGrade = text`Choose a section of the student’s grade and branch. Section Student Mapping moves to another grade.`;

const unseated = text`The student sits in no section today. Assign a section first.`;

/** The move of Section Student Mapping, for one child and within the grade and branch. */
const move: Handler<typeof studentSectionApi.move> = (ctx, { id, sectionId, from, reason, confirmToken }) =>
  previewOrApply(ctx, confirmToken, async () => {
    const place = await studentsSeen(ctx, studentKeepers)
      .innerJoin('student_enrollment as own', 'own.id', 'place.enrollment_id')
      .where('student.id', '=', id)
      .select(['own.id', 'own.academic_year_id', 'own.grade_id', 'own.branch_id'])
      .executeTakeFirstOrThrow(notFound);
    const section = await ctx.db
      .selectFrom('academic_section')
      .where('id', '=', sectionId)
      .where('academic_year_id', '=', place.academic_year_id)
      .where('grade_id', '=', place.grade_id)
      .where('branch_id', '=', place.branch_id)
      .select('id')
      .executeTakeFirst();
    if (!section) throw fieldRefusal('sectionId', otherGrade);
    const asked = { academicYearId: place.academic_year_id, sectionId, enrollmentIds: [place.id], from, reason };
    const { answer, basis } = await moveAll(ctx, asked);
    if (answer.moved === 0) throw new AppError('conflict', text`The student sits in this section already.`);
    return { answer, basis: [asked, answer, basis], isRefused: answer.blocks.length > 0 };
  });

const roll: Handler<typeof studentSectionApi.roll> = async (ctx, { id, rollNo }) => {
  const { enrollmentId, sectionId } = await studentsSeen(ctx, studentKeepers)
    .where('student.id', '=', id)
    .select(['place.enrollment_id as enrollmentId', 'place.held_section_id as sectionId'])
    .executeTakeFirstOrThrow(notFound);
  if (enrollmentId === null || sectionId === null) throw new AppError('conflict', unseated);
  return setRoll(ctx, { id: sectionId, enrollmentId, rollNo, on: toLocalDate(ctx.now()) });
};

export const studentSectionRoutes = routes(studentSectionApi, { move, roll });
