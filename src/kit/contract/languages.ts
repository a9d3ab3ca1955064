/** What a language needs besides its catalogues. A new one is a row here; the order is that of the screen. */
interface LanguageRow {
  /** In its own script. */
  name: string;
  /** The form of a noun after a number. Tables, so that nothing depends on the data of a device. */
  plural: (count: number) => 'one' | 'other';
  /** From January. */
  months: readonly string[];
  /** Where dates have abbreviated months. */
  shortMonths?: readonly string[];
}

const words = (list: string): string[] => list.split(' ');

/** Zero and one: as CLDR has it for the languages of north India. */
const upToOne = (count: number) => (Math.abs(count) <= 1 ? 'one' : 'other');

const englishMonths = words('January February March April May June July August September October November December');

export const languages = {
  en: {
    name: 'English',
    plural: (count) => (count === 1 ? 'one' : 'other'),
    months: englishMonths,
    shortMonths: englishMonths.map((name) => name.slice(0, 3)),
  },
  gu: {
    name: 'ગુજરાતી',
    plural: upToOne,
    months: words('જાન્યુઆરી ફેબ્રુઆરી માર્ચ એપ્રિલ મે જૂન જુલાઈ ઑગસ્ટ સપ્ટેમ્બર ઑક્ટોબર નવેમ્બર ડિસેમ્બર'),
  },
  hi: {
    name: 'हिन्दी',
    plural: upToOne,
    months: words('जनवरी फ़रवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर'),
  },
} as const satisfies Record<string, LanguageRow>;

export type Language = keyof typeof languages;

/** All, in the order of the screen. */
export const languageKeys = Object.keys(languages) as Language[];

/** Whether a value from outside names one of them. */
export const isLanguage = (value: unknown): value is Language =>
  typeof value === 'string' && Object.hasOwn(languages, value);
