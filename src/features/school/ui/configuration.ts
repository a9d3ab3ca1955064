import { useSyncExternalStore } from 'react';
import { type Language, translatedLanguages } from '#kit/contract/languages.ts';
import type { Colour } from '#kit/contract/palette.ts';

/** The public facts of the school that the server wrote into the page. */
interface Configuration {
  schoolName: string;
  schoolCity: string;
  schoolPhone: string;
  schoolEmail: string;
  officeHours: string;
  hospitalText: string;
  schoolColour: Colour;
  logoPath: string | null;
  needsTls: boolean;
  signInProvider: string;
  hasNoAccount: boolean;
  languages: readonly Language[];
  unread: { form: readonly Language[]; family: readonly Language[] };
  words: { readonly [language in Language]?: SchoolWords };
}

/** What the school wrote itself. */
interface SchoolWords {
  officeHours: string;
  hospitalText: string;
}

const fallback: Configuration = {
  schoolName: 'School',
  schoolCity: '',
  schoolPhone: '',
  schoolEmail: '',
  officeHours: '',
  hospitalText: '',
  schoolColour: 'Teal',
  logoPath: null,
  needsTls: false,
  signInProvider: '',
  hasNoAccount: false,
  languages: ['en'],
  // Without an answer a page says that it was translated by computer.
  unread: { form: translatedLanguages, family: translatedLanguages },
  words: {},
};

let read: Configuration | undefined;
const listeners = new Set<() => void>();

/** The configuration of this page; default values where the server had none, so that a page always opens. */
export function configuration(): Configuration {
  if (read) return read;
  const written = document.getElementById('app-configuration')?.textContent ?? '{}';
  const parsed = JSON.parse(written) as Partial<Configuration> | string;
  return configure(typeof parsed === 'object' ? parsed : {});
}

/** What the school wrote itself in a language; in English what it has not entered. */
export function schoolWords(language: Language): SchoolWords {
  const { words, officeHours, hospitalText } = configuration();
  return {
    officeHours: words[language]?.officeHours || officeHours,
    hospitalText: words[language]?.hospitalText || hospitalText,
  };
}

/** Sets the configuration where there is no page to read it from. */
export function configure(values: Partial<Configuration>): Configuration {
  read = { ...fallback, ...values };
  for (const listener of listeners) listener();
  return read;
}

/** The configuration, read again where a page shows it while it is changed. */
export const useConfiguration = (): Configuration => useSyncExternalStore(listen, configuration, configuration);

function listen(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Loads the configuration for a page that came without it (development, or a database outage). */
export async function completeConfiguration(): Promise<void> {
  if (configuration().schoolName === fallback.schoolName) await readConfiguration();
}

/** Reads the configuration again after it was changed; it stays as it is where the server can't be reached. */
export async function readConfiguration(): Promise<void> {
  const answer = await fetch('/api/app-configuration').catch(() => undefined);
  if (answer?.ok) configure((await answer.json()) as Partial<Configuration>);
}
