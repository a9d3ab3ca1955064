import { needsPostgres } from '#kit/server/database/oldest.ts';

/** Without two logins, "reset role" would make the application the owner of the audit log. */
export const oneLogin =
  'DATABASE_URL must have a login that can become nobody but shala_app, so that the audit log stays as it is. ' +
  "As an administrator run: create role shala_login login password '…'; grant shala_app to shala_login; " +
  'then name it in DATABASE_URL, and the login that owns the tables in DATABASE_OWNER_URL.';

interface UpgradeStop {
  /** The version whose start is the first to stop with the sentence. */
  since: string;
  /** The sentence, which stands under "Before you upgrade" of that version in CHANGELOG.md. */
  text: string;
}

/** What an operator must do before an upgrade: the program stops with these sentences where it was not done. */
export const upgradeStops: readonly UpgradeStop[] = [
  { since: '0.2.0', text: needsPostgres },
  { since: '0.1.0', text: oneLogin },
];
