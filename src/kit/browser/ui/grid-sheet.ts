/** A cell by its line and column, from 0. */
export interface Place {
  y: number;
  x: number;
}

/** From the first to the last cell of a selection, both within it. */
export interface Block {
  top: number;
  left: number;
  bottom: number;
  right: number;
}

/** The block between two cells. */
export const blockOf = (one: Place, other: Place): Block => ({
  top: Math.min(one.y, other.y),
  left: Math.min(one.x, other.x),
  bottom: Math.max(one.y, other.y),
  right: Math.max(one.x, other.x),
});

/** Every cell of a block, line by line. */
export const placesOf = ({ top, left, bottom, right }: Block): Place[] =>
  Array.from({ length: bottom - top + 1 }, (_, line) => line + top).flatMap((y) =>
    Array.from({ length: right - left + 1 }, (_, column) => ({ y, x: column + left })),
  );

/** The lines and cells of a block copied from a sheet; one line break at its end is none of its own. */
export const readBlock = (copied: string): string[][] =>
  copied
    .replace(/\r\n?/g, '\n')
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => line.split('\t').map((cell) => cell.trim()));

/** A block as sheets take it from the clipboard. */
export const writeBlock = (lines: readonly (readonly string[])[]): string =>
  lines.map((line) => line.join('\t')).join('\n');

interface Pasted {
  cells: (Place & { text: string })[];
  /** Copied cells that lie beyond the sheet. */
  beyond: number;
}

/** Where the cells of a copied block come to lie: from the selection’s first cell on, and one cell alone in all of it. */
export function pasteInto(selected: Block, copied: readonly (readonly string[])[], size: Place): Pasted {
  const [single] = copied.length === 1 && copied[0]?.length === 1 ? (copied[0] ?? []) : [];
  if (single !== undefined)
    return { cells: placesOf(selected).map((place) => ({ ...place, text: single })), beyond: 0 };
  const cells = copied.flatMap((line, y) =>
    line.map((text, x) => ({ y: selected.top + y, x: selected.left + x, text })),
  );
  const within = cells.filter(({ y, x }) => y < size.y && x < size.x);
  return { cells: within, beyond: cells.length - within.length };
}

/** The next cell after this one, line by line; undefined at the end of the sheet. */
export function nextPlace({ y, x }: Place, step: 1 | -1, size: Place): Place | undefined {
  const index = y * size.x + x + step;
  return index < 0 || index >= size.x * size.y ? undefined : { y: Math.floor(index / size.x), x: index % size.x };
}
