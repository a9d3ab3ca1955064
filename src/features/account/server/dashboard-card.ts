import { sql } from 'kysely';
import { dayOf, isOpenOn } from '#features/sign-in/api.ts';
import { text } from '#kit/contract/text.ts';
import type { DashboardCard } from '#kit/server/dashboard.ts';

export const accountCard: DashboardCard = {
  title: text`Accounts`,
  roles: ['Admin'],
  count: async ({ db, now }) => {
    const { rows } = await sql<{ active: number; waiting: number }>`
      select (select count(*) from sign_in_account account where ${isOpenOn(dayOf({ now }))})::integer as active,
        (select count(*) from sign_in_request where status = 'pending')::integer as waiting`.execute(db);
    const [{ active, waiting }] = rows as [(typeof rows)[0]];
    const to = 'sign-in/account';
    return [
      { label: text`Active accounts`, value: active, to },
      { label: text`Account requests to decide`, value: waiting, to },
    ];
  },
};
