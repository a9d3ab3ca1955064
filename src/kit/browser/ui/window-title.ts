let owner = '';

/** Says whose pages these are, which the title of every window ends with. */
export function nameWindows(name: string) {
  owner = name;
}

/** The title of a window that shows a page. */
export const windowTitle = (page: string) => (owner ? `${page} | ${owner}` : page);
