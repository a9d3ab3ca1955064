import type { Text } from '#kit/contract/text.ts';
import type { LinkContext } from '#kit/server/context.ts';
import { notify, type Recipients } from '#kit/server/messages/notifications.ts';

interface News {
  kind: string;
  text: Text;
  /** Those who are told where nobody has the form, or who has it may not sign in. */
  orElse: Recipients;
}

/**
 * Tells the reviewer of the family's form, or else whom the inquiry is assigned to. Once the form was submitted its page
 * is that of the review.
 */
export async function tellReviewer(ctx: LinkContext, { kind, ...news }: News) {
  const { id } = ctx.inquiry;
  const inquiry = await ctx.db
    .selectFrom('admission_inquiry')
    .where('id', '=', id)
    .select(['reviewer_id', 'assigned_to_id', 'received_at'])
    .executeTakeFirstOrThrow();
  const staffId = inquiry.reviewer_id ?? inquiry.assigned_to_id;
  await notify(ctx, {
    ...news,
    kind,
    to: { staff: staffId === null ? [] : [staffId] },
    path: `/school-erp/admission/${inquiry.received_at ? 'review-list' : 'inquiry'}/${id}`,
    key: `${kind} ${id}`,
  });
}
