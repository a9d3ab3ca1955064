// A cell such as "5-A" in its two parts; the page shows with the same function what the server will do.

const separators = ' \t\u00a0-–—_/.,()[]:';
const trimmed = (words: string) => {
  let [from, to] = [0, words.length];
  while (from < to && separators.includes(words[from] ?? '')) from++;
  while (to > from && separators.includes(words[to - 1] ?? '')) to--;
  return words.slice(from, to);
};
const isLetter = (sign: string) => /^[a-z]$/i.test(sign);
const isNumeral = (word: string) => /^[ivx]{1,5}$/i.test(word) || /[0-9]/.test(word);

/** The parts of a cell that ends with one letter: "5-A", "V A", "5th A", "Sr. KG B". "Std V" is a number, not a part. */
export function splitLetter(cell: string): readonly [string, string] | undefined {
  const whole = trimmed(cell);
  const letter = whole.at(-1) ?? '';
  const rest = whole.slice(0, -1);
  const first = trimmed(rest);
  if (!isLetter(letter) || first === '') return undefined;
  const isApart = first.length < rest.length;
  if (!isApart) return /[0-9]$/.test(first) ? [first, letter.toUpperCase()] : undefined;
  const mayBeNumeral = isNumeral(letter) && !first.split(/[ .-]/).some(isNumeral);
  return mayBeNumeral ? undefined : [first, letter.toUpperCase()];
}
