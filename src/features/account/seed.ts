import { demoPeople } from '#database/seed/demo-people.ts';
import type { Context } from '#kit/server/context.ts';
import { createAccount } from './api.ts';

/** A person who waits for an Admin's approval. */
const accountRequest = {
  name: 'Neha Bhatt',
  email: 'neha.bhatt@sunrise.example',
  mobile: '9825020005',
  reason: 'I teach Gujarati in Grade 2 from this month.',
};

/** The accounts of the demo's staff, and a request for one. */
export async function seed(ctx: Context) {
  for (const person of demoPeople) await createAccount(ctx, 'Demo', { ...person, isStaff: !person.isAdmin });
  await ctx.db.insertInto('sign_in_request').values(accountRequest).execute();
}
