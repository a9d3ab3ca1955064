import { type RawBuilder, sql } from 'kysely';
import { studentKeepers } from '#access/contract/grants.ts';
import { tagMany } from '#features/tag/api.ts';
import { mostSkippedShown } from '#kit/contract/bulk.ts';
import { fieldRefusal } from '#kit/contract/errors.ts';
import { inactiveMessage } from '#kit/contract/field.ts';
import { isRequired } from '#kit/contract/fields.ts';
import { english, text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { auditEach } from '#kit/server/security/audit.ts';
import { bulkFields, type manyApi } from '../contract/many.ts';
import { askOthers, lockForCategory } from './enrolment/ask-others.ts';
import { studentsSelected } from './list.ts';
import { studentsSeen } from './visible.ts';

const hasNothing = text`Choose what changes.`;
const eitherHouse = text`Choose a house or remove it, not both.`;
const unchanged = text`Nothing would change.`;

export const changeMany: Handler<typeof manyApi.changeMany> = (ctx, { confirmToken, selection, ...chosen }) =>
  previewOrApply(ctx, confirmToken, async () => {
    const { houseId, noHouse, categoryId, categoryFrom, addedTagId, removedTagId } = chosen;
    if (!noHouse && [houseId, categoryId, addedTagId, removedTagId].every((id) => id === null))
      throw fieldRefusal('houseId', hasNothing);
    if (noHouse && houseId !== null) throw fieldRefusal('noHouse', eitherHouse);
    if (categoryId !== null && categoryFrom === '')
      throw fieldRefusal('categoryFrom', isRequired(bulkFields.categoryFrom.label));
    const house = await nameOf(ctx, 'houseId', sql`academic_house`, houseId);
    const category = await nameOf(ctx, 'categoryId', sql`academic_lookup`, categoryId);
    const seen = await studentsSeen(ctx, studentKeepers)
      .where('student.id', '=', sql<number>`any(${await studentsSelected(ctx, selection)}::integer[])`)
      .select('student.id')
      .execute();
    const chosenIds = seen.map(({ id }) => id);
    // Enrolments are locked before their students.
    const enrolments = categoryId === null ? [] : await lockForCategory(ctx, chosenIds, categoryFrom);
    const rows = await ctx.db
      .selectFrom('student')
      .where('student.id', '=', sql<number>`any(${chosenIds}::integer[])`)
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
        (houseId !== null && house_id !== houseId) ||
        (noHouse && house_id !== null) ||
        (categoryId !== null && category_id !== categoryId),
    );
    if (set.length > 0)
      await ctx.db
        .updateTable('student')
        .set({
          ...((houseId !== null || noHouse) && { house_id: houseId }),
          ...(categoryId !== null && { category_id: categoryId }),
          version: sql`version + 1`,
        })
        .where('id', '=', sql<number>`any(${set.map(({ id }) => id)}::integer[])`)
        .execute();
    const recategorised = new Set(
      categoryId === null ? [] : rows.filter((row) => row.category_id !== categoryId).map(({ id }) => id),
    );
    const others = await askOthers(
      ctx,
      enrolments.filter(({ studentId }) => recategorised.has(studentId)),
    );
    const labels = {
      [english(bulkFields.houseId.label)]: noHouse ? '–' : house,
      [english(bulkFields.categoryId.label)]: category,
      [english(bulkFields.categoryFrom.label)]: categoryId === null ? '' : categoryFrom,
    };
    const details = Object.fromEntries(Object.entries(labels).filter(([, name]) => name !== ''));
    await auditEach(
      ctx,
      { action: 'student.changed', entity: 'student', details },
      set.map(({ id }) => id),
    );
    const changed = new Set([...set.map(({ id }) => id), ...tagged]);
    const skipped = rows.flatMap(({ id, name }) => (changed.has(id) ? [] : [{ id, name, reason: unchanged }]));
    return {
      answer: {
        changed: changed.size,
        skipped: skipped.slice(0, mostSkippedShown),
        skippedCount: skipped.length,
        also: others.texts,
        blocks: others.blocks,
      },
      basis: [selection, chosen, rows.map(({ id, version }) => [id, version, changed.has(id)]), others.basis],
      isRefused: changed.size === 0 || others.blocks.length > 0,
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
