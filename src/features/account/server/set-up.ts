import { sql } from 'kysely';
import { text } from '#kit/contract/text.ts';
import type { SetUpStep } from '#kit/server/set-up.ts';
import type { FindWarnings } from '#kit/server/warnings.ts';

export const accountStep: SetUpStep = {
  key: 'accounts',
  order: 5,
  title: text`First accounts`,
  to: 'sign-in/account',
  act: text`Add accounts`,
  read: async ({ db }) => {
    const { rows } = await sql<{ accounts: number }>`
      select count(*)::integer as accounts from sign_in_account where is_active`.execute(db);
    const [{ accounts }] = rows as [(typeof rows)[0]];
    return {
      isDone: accounts > 1,
      found: text({ message: '{accounts, plural, one {# account} other {# accounts}}' }, { accounts }),
      missing: text`Add the office and the principal, so that they can sign in.`,
    };
  },
};

/** An empty server says at its start how its first Admin is made. */
export const findNoAccount: FindWarnings = async ({ db }) => {
  const account = await db.selectFrom('sign_in_account').select('id').limit(1).executeTakeFirst();
  return account
    ? []
    : [{ name: 'no-account', text: text`No account yet. Create the first Admin with: npm run create-admin` }];
};
