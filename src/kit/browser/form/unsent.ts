import { store } from '#kit/browser/ui/local-storage.ts';

const place = 'unsent';

/** The names of what is kept on this device and not submitted, of the person who is signed in. */
function namesOf(): string[] {
  try {
    const names: unknown = JSON.parse(localStorage.getItem(place) ?? '[]');
    return Array.isArray(names) ? names.map(String) : [];
  } catch {
    return []; // No storage, or not ours.
  }
}

/** Notes that something is kept here and not submitted, or that it no longer is. */
export function noteUnsent(name: string, isUnsent: boolean): void {
  const others = namesOf().filter((other) => other !== name);
  store(place, JSON.stringify(isUnsent ? [...others, name] : others));
}

/** Whether something is kept on this device that the person has not submitted; signing out asks first. */
export const hasUnsent = (): boolean => namesOf().length > 0;
