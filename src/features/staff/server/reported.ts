import { type RawBuilder, sql } from 'kysely';
import { admin, staff } from '#access/contract/grants.ts';
import { pictureOf } from '#access/server/picture.ts';
import { inScope } from '#access/server/scope.ts';
import type { User, UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { notFound } from '#kit/server/record/version.ts';
import { staffListSource, staffOf } from './list.ts';
import { isPostOfDay } from './standing.ts';
import { branchOn } from './visible.ts';

/**
 * True in a query of `staff` of those whose report the user reads: of the branches of HR and principals, also of people
 * who have left, and of the departments that the user heads.
 */
function isReported(user: User, day: string): RawBuilder<boolean> {
  const isInBranch = inScope(user, [admin(), staff('hr', 'principal')], { branch: branchOn(day) });
  if (!user.sets.includes('headOfDepartment')) return isInBranch;
  return sql<boolean>`(${isInBranch} or exists (select from staff_post as post
    join academic_department department on department.id = post.department_id
    where post.staff_id = staff.id and department.staff_id = ${user.staffId} and ${isPostOfDay(day)}))`;
}

export const reportedStaffSource = (ctx: UserContext) =>
  staffListSource(ctx, isReported(ctx.user, toLocalDate(ctx.now())));

/** The head of a person's report; throws `not_found` for those who may not read it. Everyone reads the own one. */
export async function readReportedStaff(ctx: UserContext, id: number) {
  const { user, now } = ctx;
  const day = toLocalDate(now());
  const isOwn = id === user.staffId;
  const row = await staffOf(ctx, day, isOwn ? sql<boolean>`true` : isReported(user, day))
    .where('staff.id', '=', id)
    .select('spell.last_day')
    .executeTakeFirstOrThrow(notFound);
  return {
    id,
    name: row.name,
    picture: pictureOf(row.picture_id),
    employeeNumber: row.employee_number,
    designation: row.post?.designation ?? '',
    department: row.post?.department ?? '',
    mobile: row.mobile ?? '',
    status: row.status,
    lastDay: row.last_day ?? '',
    isOwn,
  };
}
