/** How the routers read and write what an address says behind the `?`: values stay text, so that digits alone do not become a number. */
export const searchText = {
  parseSearch: (search: string) => Object.fromEntries(new URLSearchParams(search)),
  stringifySearch: (search: object) => {
    const text = new URLSearchParams(search as Record<string, string>).toString();
    return text && `?${text}`;
  },
};
