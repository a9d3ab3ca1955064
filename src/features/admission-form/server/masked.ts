/** "98XXXXXX11" or "n…@family.example": enough for a family to recognise its own contact. */
export const masked = (target: string) =>
  target.includes('@')
    ? target.replace(/^(.)[^@]*/, '$1…')
    : target.slice(0, 2) + 'X'.repeat(Math.max(0, target.length - 4)) + target.slice(-2);
