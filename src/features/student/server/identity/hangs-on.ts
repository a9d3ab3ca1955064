import { sql } from 'kysely';
import type { Context } from '#kit/server/context.ts';
import { countHanging } from '#kit/server/record/added.ts';

/** How many rows of each table hang on a student, also by an enrolment; tables without one are left out. */
export const countOfStudent = (ctx: Pick<Context, 'db'>, studentId: number): Promise<Map<string, number>> =>
  countHanging(ctx, {
    student: sql`${studentId}::integer`,
    student_enrollment: sql`select id from student_enrollment where student_id = ${studentId}`,
  });
