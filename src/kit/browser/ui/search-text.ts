/** How the routers parse and write the query of an address: values stay text, so that digits do not become numbers. */
export const searchText = {
  parseSearch: (search: string) => Object.fromEntries(new URLSearchParams(search)),
  stringifySearch: (search: object) => {
    const text = new URLSearchParams(search as Record<string, string>).toString();
    return text && `?${text}`;
  },
};
