let made = 0;

/** A number that no other row or person of this test file has. */
export const nextNumber = () => ++made;

/** The number that each row of a master was created with, by table and row id. */
export const numbersOfRows = new Map<string, number>();

/** Test files share modules, so each starts counting again. */
export function startNumbers() {
  made = 100;
  numbersOfRows.clear();
}
