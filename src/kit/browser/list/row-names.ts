/** The names of a list's rows, which open them; each has `data-row-name`. */
export const rowNames = (list: Element | null) => [...(list?.querySelectorAll<HTMLElement>('[data-row-name]') ?? [])];

/** What gets the focus once a row is gone: the name of the next one, or of the one before. */
export function rowBeside(list: Element | null, id: number): HTMLElement | undefined {
  const names = rowNames(list);
  const place = names.findIndex((name) => name.dataset.rowName === String(id));
  return names[place + 1] ?? names[place - 1];
}
