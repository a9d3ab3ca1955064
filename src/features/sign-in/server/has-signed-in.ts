import { sql } from 'kysely';

/** Whether the owner of the account has ever signed in. Not `exists`, for which PostgreSQL would read the whole log. */
export const hasSignedIn = sql<boolean>`(select id from audit
  where entity = 'sign_in_account' and action = 'sign-in.signed-in' and entity_id = account.id limit 1) is not null`;
