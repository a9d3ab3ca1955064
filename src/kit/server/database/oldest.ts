/** The oldest major version of PostgreSQL that migrations run on: 17 added "alter column … set expression". */
export const oldestPostgres = 17;
