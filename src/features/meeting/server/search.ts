import { sql } from 'kysely';
import { showDate } from '#kit/contract/day.ts';
import { text } from '#kit/contract/text.ts';
import { containsText, type SearchGroup } from '#kit/server/search.ts';
import { isSeen } from './read.ts';

const least = 3;

/** Meetings of any year by name, the next one first. */
export const meetingSearch: SearchGroup = {
  kind: 'meeting',
  title: text`Meetings with parents`,
  roles: ['Staff'],
  sets: ['office', 'principal', 'classTeacher', 'subjectTeacher'],
  find: async (ctx, search, most) => {
    if (search.trim().length < least) return [];
    const { rows } = await sql<{ id: number; name: string; day: string; branch: string }>`
      select meeting.id, meeting.name, meeting.day::text, branch.name as branch
      from meeting join academic_branch branch on branch.id = meeting.branch_id
      where ${containsText(sql`meeting.name`, search)} and ${isSeen(ctx)}
      order by meeting.day desc, meeting.id desc limit ${most}`.execute(ctx.db);
    return rows.map(({ id, name, day, branch }) => ({
      id,
      title: name,
      detail: `${showDate(day)} · ${branch}`,
      to: `meeting/meeting-list/${id}`,
    }));
  },
};
