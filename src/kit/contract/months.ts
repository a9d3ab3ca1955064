import type { Language } from './languages.ts';

/** Months in dates of the other languages, as Unicode has them. */
export const otherMonths: { readonly [language in Exclude<Language, 'en'>]?: readonly string[] } = {
  gu: 'જાન્યુઆરી ફેબ્રુઆરી માર્ચ એપ્રિલ મે જૂન જુલાઈ ઑગસ્ટ સપ્ટેમ્બર ઑક્ટોબર નવેમ્બર ડિસેમ્બર'.split(' '),
  hi: 'जनवरी फ़रवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर'.split(' '),
};
