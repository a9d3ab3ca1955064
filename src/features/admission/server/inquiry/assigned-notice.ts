import { sql } from 'kysely';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { notify, notifyEach } from '#kit/server/messages/notifications.ts';
import { isOpenOn } from '#kit/server/security/open-account.ts';

/** What a person is told of several inquiries that `by` has assigned to them. */
export const inquiriesAssigned = (by: string, count: number, staffId: number) => ({
  text: text({ message: '{by} assigned {count, plural, one {# inquiry} other {# inquiries}} to you.' }, { by, count }),
  path: `/school-erp/admission/inquiry?assignedToId=${staffId}&academicYearId=0`,
});

/** Tells everyone who has inquiries now how many: the ids are those of their records, one for each inquiry. */
export async function tellAllAssigned(ctx: UserContext, staffIds: readonly number[]) {
  const byStaff = Map.groupBy(staffIds, (id) => id);
  const accounts = await ctx.db
    .selectFrom('sign_in_account as account')
    .where('staff_id', '=', sql<number>`any(${[...byStaff.keys()]}::integer[])`)
    .where(isOpenOn(toLocalDate(ctx.now())))
    .select(['id', sql<number>`staff_id`.as('staffId')])
    .execute();
  await notifyEach(
    ctx,
    accounts.map(({ id, staffId }) => ({
      accountId: id,
      kind: 'admission.inquiry.assigned',
      ...inquiriesAssigned(ctx.user.name, byStaff.get(staffId)?.length ?? 0, staffId),
    })),
  );
}

/** What a person is told of one inquiry that `by` has assigned to them. No notice names a child. */
export const inquiryAssigned = (by: string, { id, number }: { id: number; number: string }) => ({
  text: text`${{ by }} assigned inquiry ${{ number }} to you.`,
  path: `/school-erp/admission/inquiry/${id}`,
});

export const assignedKey = (id: number) => `admission.inquiry.assigned ${id}`;

/** Tells a member of staff of an inquiry that is theirs now. */
export const tellAssigned = (ctx: UserContext, staffId: number, inquiry: { id: number; number: string }) =>
  notify(ctx, {
    to: { staff: [staffId] },
    kind: 'admission.inquiry.assigned',
    ...inquiryAssigned(ctx.user.name, inquiry),
    key: assignedKey(inquiry.id),
  });
