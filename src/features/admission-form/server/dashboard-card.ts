import { sql } from 'kysely';
import { staff } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import { text } from '#kit/contract/text.ts';
import type { DashboardCard } from '#kit/server/dashboard.ts';
import { localTimeZone } from '#kit/server/day.ts';

const sets = ['office', 'admissionHead', 'accountant', 'principal'] as const;

/** Inquiries of every academic year: admission is open for the current year and the next. */
export const admissionCard: DashboardCard = {
  title: text`Admission forms`,
  sets: [...sets],
  count: async ({ db, now, user }) => {
    const isReached = inScope(user, [staff(...sets)], { branch: sql`inquiry.branch_id` });
    const { rows } = await sql<{ unopened: number; begun: number; submitted: number; thisWeek: number }>`
      select count(*) filter (where received_at is null and not has_begun)::integer as unopened,
        count(*) filter (where received_at is null and has_begun)::integer as begun,
        count(*) filter (where received_at is not null)::integer as submitted,
        count(*) filter (where received_at >= date_trunc('week', ${now()}::timestamptz, ${localTimeZone}))::integer
          as "thisWeek"
      from (select received_at,
          exists (select from admission_basic_info saved where saved.inquiry_id = inquiry.id) as has_begun
        from admission_inquiry inquiry where ${isReached}) as form`.execute(db);
    const [{ unopened, begun, submitted, thisWeek }] = rows as [(typeof rows)[0]];
    return [
      { label: text`Submitted this week`, value: thisWeek },
      { label: text`Submitted`, value: submitted },
      { label: text`Being filled in`, value: begun },
      { label: text`Not started`, value: unopened },
    ];
  },
};
