import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { notify } from '#kit/server/messages/notices.ts';

/** What a person is told of one inquiry that `by` has assigned to them. No notice names a child. */
export const inquiryAssigned = (by: string, { id, number }: { id: number; number: string }) => ({
  text: text`${{ by }} assigned inquiry ${{ number }} to you.`,
  path: `/school-erp/admission/inquiry/${id}`,
});

/** Tells a member of staff of an inquiry that is theirs now. */
export const tellAssigned = (ctx: UserContext, staffId: number, inquiry: { id: number; number: string }) =>
  notify(ctx, {
    to: { staff: [staffId] },
    kind: 'admission.inquiry.assigned',
    ...inquiryAssigned(ctx.user.name, inquiry),
    key: `admission.inquiry.assigned ${inquiry.id}`,
  });
