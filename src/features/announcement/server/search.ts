import { sql } from 'kysely';
import { showDate } from '#kit/contract/day.ts';
import { text } from '#kit/contract/text.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { containsText, type SearchGroup, wordsOf } from '#kit/server/search.ts';
import { isReadable } from './read.ts';

const leastLetters = 3;

/** Announcements by the words of their titles: what is published for the user, and what the user wrote or keeps. */
export const announcementSearch: SearchGroup = {
  kind: 'announcement',
  title: text`Announcements`,
  find: async (ctx, search, most) => {
    const words = wordsOf(search);
    if (words.join('').length < leastLetters) return [];
    const named = sql.join(
      words.map((word) => containsText(sql`own.title`, word)),
      sql` and `,
    );
    const { rows } = await sql<{ id: number; title: string; category: string; publishAt: Date | null }>`
      select notice.id, own.title, category.name as category, notice.publish_at as "publishAt"
      from announcement notice
      join announcement_version own on own.announcement_id = notice.id and own.number = notice.current_version
      join academic_lookup category on category.id = notice.category_id
      where ${named} and ${isReadable(ctx)}
      order by notice.publish_at desc nulls first, notice.id desc limit ${most}`.execute(ctx.db);
    return rows.map(({ id, title, category, publishAt }) => ({
      id,
      title,
      detail: [category, publishAt && showDate(toLocalDate(publishAt))].filter(Boolean).join(' · '),
      to: `announcement/announcement-list/${id}`,
    }));
  },
};
