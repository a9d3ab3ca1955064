import { sql } from 'kysely';
import { admin, staff } from '#access/contract/grants.ts';
import { reportCard } from '#features/staff/contract/cards.ts';
import { text, verbatim } from '#kit/contract/text.ts';
import type { ServedCard } from '#kit/server/context.ts';
import { localTimeZone } from '#kit/server/day.ts';
import { inPeriod } from '#kit/server/period.ts';

/** How many notes on students a person wrote in a period. Restricted notes count for their author alone. */
export const writtenNotes: ServedCard = {
  card: reportCard('note', 'school', 50, text`Notes on students`, [admin(), staff('principal', 'headOfDepartment')]),
  read: async ({ db, user }, id, period) => {
    const { rows } = await sql<{ polarity: string; count: number }>`
      select polarity, count(*)::integer as count
      from observation_note
      where author_id = ${id} and (reach <> 'Restricted' or author_id = ${user.staffId})
        and ${inPeriod(sql`(observed_at at time zone ${localTimeZone})::date`, period)}
      group by polarity`.execute(db);
    const count = (polarity: string) => rows.find((row) => row.polarity === polarity)?.count ?? 0;
    const facts = [
      { label: text`Positive`, value: count('Positive') },
      { label: text`Neutral`, value: count('Neutral') },
      { label: text`Concern`, value: count('Concern') },
    ];
    return {
      asOf: '',
      facts: rows.length === 0 ? [] : facts.map(({ label, value }) => ({ label, value: verbatim(String(value)) })),
      table: null,
      to: '',
      empty: text`No notes on students in these days.`,
    };
  },
};
