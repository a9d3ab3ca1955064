/** Whether PostgreSQL can store a text: it has no NUL and no half of a surrogate pair. */
export const isStorable = (value: string) => !value.includes('\u0000') && value.isWellFormed();
