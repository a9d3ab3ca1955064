import { sql } from 'kysely';
import { openStates } from '#features/admission-form/contract/state.ts';
import { requireEmployed } from '#features/staff/api.ts';
import { mostSkippedShown } from '#kit/contract/bulk.ts';
import { fieldRefusal } from '#kit/contract/errors.ts';
import type { Selection } from '#kit/contract/list-view.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { notify } from '#kit/server/messages/notifications.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { auditEach } from '#kit/server/security/audit.ts';
import type { inquiryApi } from '../../contract/inquiry.ts';
import type { reviewApi } from '../../contract/review.ts';
import { formsSelected } from '../review/review-list.ts';
import { inquiriesAssigned, inquiryAssigned } from './assigned-notice.ts';
import { inquiriesSelected } from './list.ts';

const isTheirs = text`Is assigned to this person already.`;
const isClosed = text`Is no longer open.`;

interface Assignment {
  confirmToken: string | undefined;
  selection: Selection;
  /** The member of staff, and the field of the form that chose them. */
  staffId: number;
  field: string;
  select: (ctx: UserContext, selection: Selection) => Promise<number[]>;
  column: 'assigned_to_id' | 'reviewer_id';
  /** The states in which an inquiry is assigned. */
  states: readonly string[];
  action: string;
  /** What the person is told of one inquiry, or of several. */
  tell: (by: string, assigned: Assigned) => { text: Text; path: string };
}

interface Assigned {
  count: number;
  /** The only one of them. */
  only?: { id: number; number: string };
  staffId: number;
}

/** Assigns the selected inquiries of these states to a member of staff. */
function assignSelected(ctx: UserContext, assignment: Assignment) {
  const { confirmToken, selection, staffId, field, select, column, states, action, tell } = assignment;
  return previewOrApply(ctx, confirmToken, async () => {
    await requireEmployed(ctx, staffId, field);
    const person = await ctx.db.selectFrom('staff').where('id', '=', staffId).select('name').executeTakeFirst();
    if (!person) throw fieldRefusal(field, text`Choose one from the list.`);
    const ids = await select(ctx, selection);
    const rows = await ctx.db
      .selectFrom('admission_inquiry as inquiry')
      .where('id', '=', sql<number>`any(${ids}::integer[])`)
      .select(['id', 'inquiry_no', 'state', `inquiry.${column} as assigned_to`, 'version'])
      .orderBy('id')
      .forUpdate()
      .execute();
    const decided = rows.map((row) => ({
      ...row,
      reason: !states.includes(row.state) ? isClosed : row.assigned_to === staffId ? isTheirs : undefined,
    }));
    const changed = decided.flatMap(({ id, reason }) => (reason ? [] : [id]));
    const skipped = decided.flatMap(({ id, inquiry_no, reason }) => (reason ? [{ id, name: inquiry_no, reason }] : []));
    await ctx.db
      .updateTable('admission_inquiry')
      .set({ [column]: staffId, version: sql`version + 1` })
      .where('id', '=', sql<number>`any(${changed}::integer[])`)
      .execute();
    await auditEach(ctx, { action, entity: 'admission_inquiry', details: { 'Assigned to': person.name } }, changed);
    if (changed.length > 0) {
      const [first] = decided.filter(({ reason }) => !reason);
      const only = changed.length === 1 && first ? { id: first.id, number: first.inquiry_no } : undefined;
      await notify(ctx, {
        to: { staff: [staffId] },
        kind: action,
        ...tell(ctx.user.name, { count: changed.length, only, staffId }),
      });
    }
    return {
      answer: { changed: changed.length, skipped: skipped.slice(0, mostSkippedShown), skippedCount: skipped.length },
      basis: [selection, staffId, decided.map(({ id, version, reason }) => [id, version, reason?.id])],
      isRefused: changed.length === 0,
    };
  });
}

export const assign: Handler<typeof inquiryApi.assign> = (ctx, { confirmToken, selection, assignedToId }) =>
  assignSelected(ctx, {
    confirmToken,
    selection,
    staffId: assignedToId as number,
    field: 'assignedToId',
    select: inquiriesSelected,
    column: 'assigned_to_id',
    states: openStates,
    action: 'admission.inquiry.assigned',
    tell: (by, { count, only, staffId }) => (only ? inquiryAssigned(by, only) : inquiriesAssigned(by, count, staffId)),
  });

export const assignReviewer: Handler<typeof reviewApi.assign> = (ctx, { confirmToken, selection, reviewerId }) =>
  assignSelected(ctx, {
    confirmToken,
    selection,
    staffId: reviewerId as number,
    field: 'reviewerId',
    select: formsSelected,
    column: 'reviewer_id',
    states: ['Submitted', 'Under review', 'Correction requested'],
    action: 'admission.review.assigned',
    tell: (by, { count, only }) =>
      only
        ? {
            text: text`${{ by }} assigned form ${{ number: only.number }} to you for review.`,
            path: `/school-erp/admission/review-list/${only.id}`,
          }
        : {
            text: text(
              { message: '{by} assigned {count, plural, one {# form} other {# forms}} to you for review.' },
              { by, count },
            ),
            path: '/school-erp/admission/review-list?tab=mine&academicYearId=0',
          },
  });
