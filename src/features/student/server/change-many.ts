import { type RawBuilder, sql } from 'kysely';
import { studentKeepers } from '#access/contract/grants.ts';
import { tagMany } from '#features/tag/api.ts';
import { mostSkippedShown } from '#kit/contract/bulk.ts';
import { fieldRefusal } from '#kit/contract/errors.ts';
import { inactiveMessage } from '#kit/contract/field.ts';
import { english, text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { auditEach } from '#kit/server/security/audit.ts';
import { bulkFields, type manyApi } from '../contract/many.ts';
import { studentsSelected } from './list.ts';
import { studentsSeen } from './visible.ts';

const hasNothing = text`Choose what changes.`;
const unchanged = text`Nothing would change.`;

export const changeMany: Handler<typeof manyApi.changeMany> = (ctx, { confirmToken, selection, ...chosen }) =>
  previewOrApply(ctx, confirmToken, async () => {
    const { houseId, categoryId, addedTagId, removedTagId } = chosen;
    if (Object.values(chosen).every((id) => id === null)) throw fieldRefusal('houseId', hasNothing);
    const house = await nameOf(ctx, 'houseId', sql`academic_house`, houseId);
    const category = await nameOf(ctx, 'categoryId', sql`academic_lookup`, categoryId);
    const rows = await studentsSeen(ctx, studentKeepers)
      .where('student.id', '=', sql<number>`any(${await studentsSelected(ctx, selection)}::integer[])`)
      .select(['student.id', 'student.name', 'student.version', 'student.house_id', 'student.category_id'])
      .orderBy('student.id')
      .forUpdate('student')
      .execute();
    const ids = rows.map(({ id }) => id);
    const tagged = await tagMany(ctx, 'Student', ids, {
      added: { id: addedTagId, field: 'addedTagId' },
      removed: { id: removedTagId, field: 'removedTagId' },
    });
    const set = rows.filter(
      ({ house_id, category_id }) =>
        (houseId !== null && house_id !== houseId) || (categoryId !== null && category_id !== categoryId),
    );
    if (set.length > 0)
      await ctx.db
        .updateTable('student')
        .set({
          ...(houseId !== null && { house_id: houseId }),
          ...(categoryId !== null && { category_id: categoryId }),
          version: sql`version + 1`,
        })
        .where('id', '=', sql<number>`any(${set.map(({ id }) => id)}::integer[])`)
        .execute();
    const labels = { [english(bulkFields.houseId.label)]: house, [english(bulkFields.categoryId.label)]: category };
    const details = Object.fromEntries(Object.entries(labels).filter(([, name]) => name !== ''));
    await auditEach(
      ctx,
      { action: 'student.changed', entity: 'student', details },
      set.map(({ id }) => id),
    );
    const changed = new Set([...set.map(({ id }) => id), ...tagged]);
    const skipped = rows.flatMap(({ id, name }) => (changed.has(id) ? [] : [{ id, name, reason: unchanged }]));
    return {
      answer: { changed: changed.size, skipped: skipped.slice(0, mostSkippedShown), skippedCount: skipped.length },
      basis: [selection, chosen, rows.map(({ id, version }) => [id, version, changed.has(id)])],
      isRefused: changed.size === 0,
    };
  });

/** The name of a chosen row, which must be active; '' where none is chosen. */
async function nameOf({ db }: UserContext, name: string, table: RawBuilder<unknown>, id: number | null) {
  if (id === null) return '';
  const { rows } = await sql<{ name: string }>`
    select name from ${table} where id = ${id} and is_active for share`.execute(db);
  if (!rows[0]) throw fieldRefusal(name, inactiveMessage);
  return rows[0].name;
}
