let made = 0;

/** A number that no other row or person has that this file's tests made. */
export const nextNumber = () => ++made;

/** Which number a row of a master was made with, by its table and its own. */
export const numbersOfRows = new Map<string, number>();

/** Test files share modules, so each begins counting anew. */
export function startNumbers() {
  made = 100;
  numbersOfRows.clear();
}
