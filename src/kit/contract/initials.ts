/** The first letters of the first and the last word, with their combining marks. */
export function initialsOf(name: string): string {
  const words = name
    .trim()
    .split(/\s+/)
    .filter((word) => /^\p{L}/u.test(word));
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words;
  return ends.map(initialOf).join('');
}

/** Without the sign by which a letter joins the next one, as in શ્રીમતી. */
const initialOf = (word = '') => (/^\p{L}\p{M}*/u.exec(word)?.[0] ?? '').replace(/[\u094D\u0ACD]$/, '').toUpperCase();
