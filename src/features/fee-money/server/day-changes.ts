import { sql } from 'kysely';
import { feeReaders } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import { text } from '#kit/contract/text.ts';
import type { DayChange } from '#kit/server/dashboard.ts';

/** Cheques that the bank returned unpaid. */
export const bouncedChange: DayChange = {
  title: text`Bounced cheques`,
  place: 40,
  roles: ['Staff'],
  sets: ['accountant', 'financeApprover', 'principal'],
  read: async ({ db, user }, since) => {
    const { rows } = await sql<{ count: number; people: number; names: string[] }>`
      select count(*)::integer as count, count(distinct student.id)::integer as people,
        coalesce((array_agg(distinct student.name order by student.name))[1:3], '{}') as names
      from fee_cheque cheque join student on student.id = cheque.student_id
      where cheque.status = 'Bounced' and cheque.ended_on >= ${since}::date
        and ${inScope(user, feeReaders, { branch: sql`student.branch_id` })}`.execute(db);
    const { count, people, names } = rows[0] ?? { count: 0, people: 0, names: [] };
    if (count === 0) return undefined;
    return {
      words: text({ message: '{n, plural, one {# cheque bounced} other {# cheques bounced}}' }, { n: count }),
      names,
      more: people - names.length,
      to: 'fee/student-wise-fees-structure?part=cheques&tab=bounced',
    };
  },
};
