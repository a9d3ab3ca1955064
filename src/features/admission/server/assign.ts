import { sql } from 'kysely';
import { openStates } from '#features/admission-form/contract/state.ts';
import { requireEmployed } from '#features/staff/api.ts';
import { mostSkippedShown } from '#kit/contract/bulk.ts';
import { fieldRefusal } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { auditEach } from '#kit/server/security/audit.ts';
import type { inquiryApi } from '../contract/inquiry.ts';
import { inquiriesSelected } from './list.ts';

const isTheirs = text`Is assigned to this person already.`;
const isClosed = text`Is no longer open.`;

/** Assigns the selected open inquiries to a member of staff. */
export const assign: Handler<typeof inquiryApi.assign> = (ctx, { confirmToken, ...input }) =>
  previewOrApply(ctx, confirmToken, async () => {
    const assignedToId = input.assignedToId as number;
    await requireEmployed(ctx, assignedToId, 'assignedToId');
    const person = await ctx.db.selectFrom('staff').where('id', '=', assignedToId).select('name').executeTakeFirst();
    if (!person) throw fieldRefusal('assignedToId', text`Choose one from the list.`);
    const ids = await inquiriesSelected(ctx, input.selection);
    const rows = await ctx.db
      .selectFrom('admission_inquiry as inquiry')
      .where('id', '=', sql<number>`any(${ids}::integer[])`)
      .select(['id', 'inquiry_no', 'state', 'assigned_to_id', 'version'])
      .orderBy('id')
      .forUpdate()
      .execute();
    const decided = rows.map((row) => ({
      ...row,
      reason: !(openStates as readonly string[]).includes(row.state)
        ? isClosed
        : row.assigned_to_id === assignedToId
          ? isTheirs
          : undefined,
    }));
    const changed = decided.flatMap(({ id, reason }) => (reason ? [] : [id]));
    const skipped = decided.flatMap(({ id, inquiry_no, reason }) => (reason ? [{ id, name: inquiry_no, reason }] : []));
    await ctx.db
      .updateTable('admission_inquiry')
      .set({ assigned_to_id: assignedToId, version: sql`version + 1` })
      .where('id', '=', sql<number>`any(${changed}::integer[])`)
      .execute();
    await auditEach(
      ctx,
      { action: 'admission.inquiry.assigned', entity: 'admission_inquiry', details: { 'Assigned to': person.name } },
      changed,
    );
    return {
      answer: { changed: changed.length, skipped: skipped.slice(0, mostSkippedShown), skippedCount: skipped.length },
      basis: [input, decided.map(({ id, version, reason }) => [id, version, reason?.id])],
      isRefused: changed.length === 0,
    };
  });
