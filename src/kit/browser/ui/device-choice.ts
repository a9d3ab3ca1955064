const seconds = 365 * 24 * 60 * 60;

/** What was chosen on this device under a name; '' before a choice. */
export function readChoice(name: string): string {
  const start = `${name}=`;
  const kept = document.cookie.split('; ').find((cookie) => cookie.startsWith(start));
  return kept?.slice(start.length) ?? '';
}

/**
 * Keeps a choice on this device, in a cookie, since signing out clears all other storage. So it may say how somebody likes
 * the pages, and nothing about who they are.
 */
export function keepChoice(name: string, value: string) {
  const secure = window.location.protocol === 'https:' ? '; secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in browsers the school may have.
  document.cookie = `${name}=${value}; path=/; max-age=${value ? seconds : 0}; samesite=lax${secure}`;
}
