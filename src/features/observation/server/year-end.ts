import { sql } from 'kysely';
import { isCounted } from '#features/calendar/api.ts';
import { text } from '#kit/contract/text.ts';
import type { YearEndLine } from '#kit/server/context.ts';
import { localTimeZone } from '#kit/server/day.ts';

/** Follow-ups of the year's notes that nobody has done. */
const followUps: YearEndLine = {
  key: 'observation.follow-ups',
  title: text`Follow-ups of observations not done`,
  at: 'warns',
  fate: text`remain with their owners`,
  act: text`Open`,
  sets: ['principal'],
  count: async ({ db }, year) => {
    const { rows } = await sql<{ open: number }>`
      select count(*)::integer as open from observation_follow_up own join observation_note note on note.id = own.note_id
      where note.academic_year_id = ${year.id} and own.state in ('Open', 'In progress')
        and ${isCounted(year, sql`note.branch_id`)}`.execute(db);
    return { open: rows[0]?.open ?? 0, to: 'student-observation/student-observation-list' };
  },
};

/** Notes that were begun by the last day and never published; only their authors read them. */
const drafts: YearEndLine = {
  key: 'observation.drafts',
  title: text`Drafts of observations`,
  at: 'says',
  fate: text`remain with their authors`,
  act: text`Open`,
  sets: ['principal'],
  count: async ({ db }, year) => {
    // A draft names no branch: what it says is sealed.
    const { rows } = await sql<{ open: number }>`
      select count(*)::integer as open from observation_draft
      where (changed_at at time zone ${localTimeZone})::date <= ${year.endsOn}`.execute(db);
    return rows[0]?.open ? { open: rows[0].open } : undefined;
  },
};

export const observationYearEnd = [followUps, drafts];
