import type { FastifyInstance } from 'fastify';
import { demoPeople } from '#database/seed/demo-people.ts';
import { fictionalMobile, type SeedPlan } from '#database/seed/plan.ts';
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
  for (const person of demoPeople) await createAccount(ctx, 'Demo', { ...person, isStaff: !person.isAdmin });
  const staff = drawStaff(plan);
  await insertRows(
    ctx.db,
    'staff',
    staff.map(({ name, email, mobile }) => ({ name, email, mobile })),
  );
  await ctx.db.insertInto('sign_in_request').values(accountRequest).execute();
}
