/** The base path of staff pictures, by id. */
export const pictureAddress = '/api/staff/picture/';

/** A picture's address; empty without one. */
export const pictureOf = (id: string | null): string => (id ? pictureAddress + id : '');
