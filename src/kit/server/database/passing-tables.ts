/** Tables whose rows pass with what runs now: counted tries and running processes. No archive holds them. */
export const passingTables = ['attempt', 'server_process'] as const;

/** The condition of a query for the names of all other tables. */
export const isKeptTable = `relname <> all ('{${passingTables.join(',')}}')`;
