import { sql } from 'kysely';
import { AppError } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { routes } from '#kit/server/http/routes.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { notFound } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import { turnApi } from '../../contract/turn.ts';
import { withPlacementMessages } from './placement.ts';
import { readTurn, startTurn } from './turn.ts';
import { undoPromotions } from './undo-promotion.ts';

/** Undoes the promotions of a turn that stand, or those of one grade or one student. */
const undoTurn: Handler<typeof turnApi.undo> = (ctx, { id, gradeId, studentId, leaves, confirmToken }) =>
  previewOrApply(ctx, confirmToken, async () => {
    const { db, now, user } = ctx;
    const turn = await db
      .selectFrom('academic_turn as turn')
      .innerJoin('run', 'run.id', 'turn.run_id')
      .innerJoin('academic_year as year', 'year.id', 'turn.from_year_id')
      .where('turn.id', '=', id)
      .select(['turn.from_year_id', 'run.finished_at', 'year.name'])
      .executeTakeFirstOrThrow(notFound);
    if (!turn.finished_at) throw new AppError('conflict', text`The promotion is still running. Wait until it is done.`);
    const standing = await db
      .selectFrom('academic_promotion')
      .where('turn_id', '=', id)
      .where('undone_at', 'is', null)
      .select(['id', 'grade_id'])
      .execute();
    const own = studentId === null ? undefined : await promotionsOf(ctx, studentId);
    const chosen = standing.filter(
      ({ id: promotionId, grade_id }) =>
        (gradeId === null || grade_id === gradeId) && (own === undefined || own.includes(promotionId)),
    );
    if (chosen.length === 0) throw new AppError('conflict', text`This promotion was undone. Reload the page.`);
    const found = await withPlacementMessages(ctx, () =>
      undoPromotions(
        ctx,
        chosen.map((one) => one.id),
        { leaves, studentId },
      ),
    );
    const { undone, left, unassigned, also, blocks, basis } = found;
    await sql`update academic_turn set undone_at = ${now()}, undone_by = ${user.name} where id = ${id}
      and not exists (select from academic_promotion where turn_id = ${id} and undone_at is null)`.execute(db);
    await audit(ctx, {
      action: 'turn.undone',
      entity: 'academic_year',
      entityId: turn.from_year_id,
      details: { 'From year': turn.name, Students: undone.length, 'Left as they are': left.length },
    });
    const children = undone.map((row) => ({
      id: row.student_id,
      name: row.name,
      result: row.status as 'Promoted',
      grade: row.grade,
      also: row.also,
      blocks: row.ownBlocks,
    }));
    return {
      answer: { children, left, unassigned, also, blocks },
      basis: [
        id,
        gradeId,
        studentId,
        leaves,
        children.map((child) => [child.id, child.result]),
        blocks.map((one) => one.id),
        basis,
      ],
      isRefused: blocks.length > 0 || undone.length === 0,
    };
  });

/** The promotions that wrote a student's results. */
async function promotionsOf({ db }: UserContext, studentId: number): Promise<(number | null)[]> {
  const rows = await db
    .selectFrom('student_enrollment')
    .where('student_id', '=', studentId)
    .where('promotion_id', 'is not', null)
    .select('promotion_id')
    .execute();
  return rows.map(({ promotion_id }) => promotion_id);
}

export const turnRoutes = routes(turnApi, { read: readTurn, start: startTurn, undo: undoTurn });
