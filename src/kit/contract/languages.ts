/** What a language needs besides its catalogues. A new one is a row here; the order is that of the screen. */
interface LanguageRow {
  /** In its own script. */
  name: string;
  /** The form of a noun after a number. Tables, so that nothing depends on the data of a device. */
  plural: (count: number) => 'one' | 'other';
  /** From January. */
  months: readonly string[];
  shortMonths: readonly string[];
  /** From Monday. */
  weekdays: readonly string[];
  /** Between the last two of a list. */
  and: string;
  script: RegExp;
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
    weekdays: words('Monday Tuesday Wednesday Thursday Friday Saturday Sunday'),
    and: 'and',
    script: /\p{Script=Latin}/u,
  },
  gu: {
    name: 'ગુજરાતી',
    plural: upToOne,
    months: words('જાન્યુઆરી ફેબ્રુઆરી માર્ચ એપ્રિલ મે જૂન જુલાઈ ઑગસ્ટ સપ્ટેમ્બર ઑક્ટોબર નવેમ્બર ડિસેમ્બર'),
    shortMonths: words('જાન્યુ ફેબ્રુ માર્ચ એપ્રિલ મે જૂન જુલાઈ ઑગસ્ટ સપ્ટે ઑક્ટો નવે ડિસે'),
    weekdays: words('સોમવાર મંગળવાર બુધવાર ગુરુવાર શુક્રવાર શનિવાર રવિવાર'),
    and: 'અને',
    script: /\p{Script=Gujarati}/u,
  },
  hi: {
    name: 'हिन्दी',
    plural: upToOne,
    months: words('जनवरी फ़रवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर'),
    shortMonths: words('जन॰ फ़र॰ मार्च अप्रैल मई जून जुल॰ अग॰ सित॰ अक्टू॰ नव॰ दिस॰'),
    weekdays: words('सोमवार मंगलवार बुधवार गुरुवार शुक्रवार शनिवार रविवार'),
    and: 'और',
    script: /\p{Script=Devanagari}/u,
  },
} as const satisfies Record<string, LanguageRow>;

export type Language = keyof typeof languages;

/** All, in the order of the screen. */
export const languageKeys = Object.keys(languages) as Language[];

/** Whether a value from outside names one of them. */
export const isLanguage = (value: unknown): value is Language =>
  typeof value === 'string' && Object.hasOwn(languages, value);
