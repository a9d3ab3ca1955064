import type { FastifyInstance } from 'fastify';
import { demoPeople } from '#database/seed/demo-people.ts';
import { fictionalMobile, type SeedPlan, startYearOf } from '#database/seed/plan.ts';
import { drawStaff } from '#database/seed/staff.ts';
import type { Context } from '#kit/server/context.ts';
import { insertRows } from '#kit/server/database/bulk.ts';
import { createAccount } from './api.ts';

/** A person who waits for an Admin's approval. */
const accountRequest = {
  name: 'Neha Bhatt',
  email: 'neha.bhatt@sunrise.example',
  mobile: fictionalMobile(999_999),
  reason: 'I teach Gujarati in Grade 2 from this month.',
};

/** The staff, accounts for the demo's users, and a request for an account. */
export async function seed(ctx: Context, _app: FastifyInstance, plan: SeedPlan) {
  const { db } = ctx;
  for (const person of demoPeople) await createAccount(ctx, 'Demo', { ...person, isStaff: !person.isAdmin });
  const staff = drawStaff(plan);
  const first = demoPeople.length + 1;
  await insertRows(
    db,
    'staff',
    staff.map(({ name, email, mobile, gender }, index) => ({
      name,
      email,
      mobile,
      gender,
      employee_number: `EMP${String(first + index).padStart(4, '0')}`,
    })),
  );
  await db
    .updateTable('number_series_value')
    .from('number_series')
    .whereRef('number_series.id', '=', 'number_series_value.series_id')
    .where('number_series.code', '=', 'staff')
    .set({ next_value: first + staff.length })
    .execute();
  // They came before the first of the demo's years, since they teach in it.
  const random = plan.random('employment');
  const latest = startYearOf(plan.today) - plan.years + 1;
  const rows = await db.selectFrom('staff').select('id').orderBy('id').execute();
  await db.deleteFrom('staff_employment').execute();
  await insertRows(
    db,
    'staff_employment',
    rows.map(({ id }) => ({ staff_id: id, joined_on: `${latest - random.upTo(15)}-06-0${1 + random.upTo(9)}` })),
  );
  await db.insertInto('sign_in_request').values(accountRequest).execute();
}
