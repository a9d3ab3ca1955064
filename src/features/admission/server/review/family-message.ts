import { openMessage, openReply } from '#features/admission-form/api.ts';
import type { UserContext } from '#kit/server/context.ts';

/** The latest messages of a family to the school, newest first. */
export async function listMessages(ctx: UserContext, id: number) {
  const rows = await ctx.db
    .selectFrom('admission_message as message')
    .leftJoin('staff', 'staff.id', 'message.replied_by')
    .where('inquiry_id', '=', id)
    .select(['message.id', 'about', 'text', 'sent_at', 'read_at', 'reply', 'replied_at', 'staff.name as by'])
    .orderBy('message.id', 'desc')
    .limit(50)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    at: row.sent_at.toISOString(),
    about: row.about,
    words: openMessage(ctx, id, row.text),
    isRead: row.read_at !== null,
    reply: row.reply ? openReply(ctx, row.id, row.reply) : '',
    repliedAt: row.replied_at?.toISOString() ?? null,
    repliedBy: row.by ?? '',
  }));
}
