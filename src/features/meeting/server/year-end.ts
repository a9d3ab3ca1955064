import { sql } from 'kysely';
import { isCounted } from '#features/calendar/api.ts';
import { text, verbatim } from '#kit/contract/text.ts';
import type { YearEndLine } from '#kit/server/context.ts';

/** Meetings of the year that no family could book. */
const draft: YearEndLine = {
  key: 'meeting.draft',
  title: text`Meetings never opened for families`,
  at: 'warns',
  fate: text`never reach a family`,
  act: text`Open`,
  sets: ['office', 'principal'],
  isForAdmins: true,
  count: async ({ db, user }, year) => {
    const { rows } = await sql<{ name: string; total: number }>`
      select meeting.name, (count(*) over ())::integer as total from meeting
      where meeting.academic_year_id = ${year.id} and meeting.state = 'Draft' and ${isCounted(year, sql`meeting.branch_id`)}
      order by meeting.day, meeting.id limit 3`.execute(db);
    const to = 'meeting/meeting-list?tab=all';
    return {
      open: rows[0]?.total ?? 0,
      names: rows.map(({ name }) => verbatim(name)),
      ...(user.role === 'Staff' && { to }),
    };
  },
};

export const meetingYearEnd = [draft];
