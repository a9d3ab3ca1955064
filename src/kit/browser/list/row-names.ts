/** The names of a list's rows, which open them, or the boxes that select the rows where none opens. */
export function rowNames(list: Element | null): HTMLElement[] {
  const names = [...(list?.querySelectorAll<HTMLElement>('[data-row-name]') ?? [])];
  return names.length > 0 ? names : [...(list?.querySelectorAll<HTMLElement>('[data-row-tick]') ?? [])];
}

/** The id of the row whose name or box this is. */
export const rowIdOf = ({ dataset }: HTMLElement) => Number(dataset.rowName ?? dataset.rowTick);

/** What gets the focus once a row is gone: the name of the next one, or of the one before. */
export function rowBeside(list: Element | null, id: number): HTMLElement | undefined {
  const names = rowNames(list);
  const place = names.findIndex((name) => rowIdOf(name) === id);
  return names[place + 1] ?? names[place - 1];
}
