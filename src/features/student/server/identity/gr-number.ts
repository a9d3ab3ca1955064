import { sql } from 'kysely';
import { otherBranch, reachesBranch } from '#access/server/scope.ts';
import { yearNames } from '#features/school/api.ts';
import { fieldRefusal } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { Context } from '#kit/server/context.ts';
import { drawNumbers, peekNumber } from '#kit/server/database/numbering.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { type ConstraintMessages, withConstraintMessages } from '#kit/server/master/constraint-messages.ts';
import { requireVersion } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import { correctionFields, grCorrectors, grNumberApi } from '../../contract/gr-number.ts';
import { requireStudent } from '../visible.ts';

export const grMessages = {
  student_gr_no_unique: { field: 'grNo', message: text`Another student has this GR number.` },
  student_gr_spent_before: { field: 'grNo', message: text`This GR number was used before.` },
};

/** The next numbers of a branch's series; a number that a child has or had, or that `also` names, is passed over. */
export async function drawGrNumbers(ctx: Context, branchId: number, count: number, also: readonly string[] = []) {
  const years = await yearNames(ctx);
  const named = new Set(also.map((number) => number.toLowerCase()));
  const free: string[] = [];
  while (free.length < count) {
    const numbered = { code: 'student', branchId };
    const drawn = (await drawNumbers(ctx.db, numbered, years, count - free.length)).map(({ number }) => number);
    const keys = drawn.map((number) => number.toLowerCase());
    const { rows } = await sql<{ number: string }>`
      select lower(gr_no) as number from student where branch_id = ${branchId} and lower(gr_no) = any(${keys})
      union all
      select lower(gr_no) from student_gr_spent where branch_id = ${branchId} and lower(gr_no) = any(${keys})`.execute(
      ctx.db,
    );
    const taken = new Set(rows.map(({ number }) => number));
    free.push(...drawn.filter((number) => !taken.has(number.toLowerCase()) && !named.has(number.toLowerCase())));
  }
  return free;
}

/** The number that the branch's series gives next, unless another student takes it first. */
export async function readNextGrNumber(ctx: Context, branchId: number): Promise<string> {
  const years = await yearNames(ctx);
  return peekNumber(ctx.db, { code: 'student', branchId }, years);
}

const rules: ConstraintMessages = {
  table: 'student',
  fields: correctionFields,
  constraintMessages: grMessages,
};

const correct: Handler<typeof grNumberApi.correct> = (ctx, { id, version, reason, ...entered }) =>
  withConstraintMessages(ctx, rules, async () => {
    const { db, user, now } = ctx;
    const seen = await requireStudent(ctx, id, grCorrectors);
    const branchId = entered.branchId ?? seen.branch_id;
    if (!reachesBranch(user, branchId)) throw fieldRefusal('branchId', otherBranch);
    // The series is locked before the student, as when students are added.
    const [grNo = ''] = entered.grNo === '' ? await drawGrNumbers(ctx, branchId, 1) : [entered.grNo];
    const before = await db
      .selectFrom('student')
      .where('id', '=', id)
      .select(['branch_id', 'gr_no', 'version'])
      .forUpdate()
      .executeTakeFirstOrThrow();
    requireVersion(before, version);
    if (before.branch_id === branchId && before.gr_no === grNo)
      throw fieldRefusal('grNo', text`The student has this number. Enter another one.`);
    await db
      .insertInto('student_gr_spent')
      .values({
        branch_id: before.branch_id,
        gr_no: before.gr_no,
        student_id: id,
        reason,
        spent_by: user.name,
        spent_at: now(),
      })
      // The student had this number twice.
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await db
      .updateTable('student')
      .set({ branch_id: branchId, gr_no: grNo, version: sql`version + 1` })
      .where('id', '=', id)
      .execute();
    await audit(ctx, {
      action: 'student.gr-corrected',
      entity: 'student',
      entityId: id,
      version: version + 1,
      details: { 'GR number': `${before.gr_no} → ${grNo}`, Reason: reason },
    });
    return { grNo };
  });

export const grNumberRoutes = routes(grNumberApi, { correct });
