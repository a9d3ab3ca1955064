/** The oldest major version of PostgreSQL that migrations run on: 17 added "alter column … set expression". */
export const oldestPostgres = 17;

/** What an operator must do before the upgrade that raises it. */
export const needsPostgres = `Shala needs PostgreSQL ${oldestPostgres} or newer`;
