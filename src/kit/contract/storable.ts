/** Whether PostgreSQL can store a text: without NUL and without half of a surrogate pair. */
export const isStorable = (value: string) => !value.includes('\u0000') && value.isWellFormed();
