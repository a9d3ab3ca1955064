/** What a language needs besides its catalogues. A new one is a row here; the order is that of the screen. */
interface LanguageRow {
  /** In its own script. */
  name: string;
  /** As the office and stored answers name it. */
  inEnglish: string;
  /** The form of a noun after a number. Tables, so that nothing depends on the data of a device. */
  plural: (count: number) => 'one' | 'other';
}

/** Zero and one: as CLDR has it for the languages of north India. */
const upToOne = (count: number) => (Math.abs(count) <= 1 ? 'one' : 'other');

export const monthNames = 'January February March April May June July August September October November December'.split(
  ' ',
);

/** The months of dates, from January: abbreviated in English only. `months.ts` adds those of other languages, which pages of the staff don't load. */
export const dateMonths: { en: readonly string[] } & { [language in Language]?: readonly string[] } = {
  en: monthNames.map((name) => name.slice(0, 3)),
};

export const languages = {
  en: {
    name: 'English',
    inEnglish: 'English',
    plural: (count) => (count === 1 ? 'one' : 'other'),
  },
  gu: {
    name: 'ગુજરાતી',
    inEnglish: 'Gujarati',
    plural: upToOne,
  },
  hi: {
    name: 'हिन्दी',
    inEnglish: 'Hindi',
    plural: upToOne,
  },
} as const satisfies Record<string, LanguageRow>;

export type Language = keyof typeof languages;

/** All, in the order of the screen. */
export const languageKeys = Object.keys(languages) as Language[];

/** Those besides English, which is written in the code. */
export const translatedLanguages = languageKeys.filter((key) => key !== 'en');

/** Whether a value from outside names one of them. */
export const isLanguage = (value: unknown): value is Language =>
  typeof value === 'string' && Object.hasOwn(languages, value);
