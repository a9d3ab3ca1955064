import { type RawBuilder, sql } from 'kysely';
import { languageNamed, languageNames } from '#kit/contract/language-names.ts';
import { type Language, languageKeys, languages, translatedLanguages } from '#kit/contract/languages.ts';
import { type Setting, setting } from '#kit/contract/setting.ts';
import { text } from '#kit/contract/text.ts';
import type { Services } from '#kit/server/context.ts';
import { readSetting, readSettings, settingValue } from '#kit/server/settings.ts';
import { type LocalLanguage, localLanguages } from '../contract/local-language.ts';

const group = text`Languages`;

/** Whether families are offered each language besides English. */
const offers = translatedLanguages.map((language) => ({
  language,
  setting: setting({
    group,
    key: `language.offer-${language}`,
    label: text`Offer families ${{ language: { id: languages[language].inEnglish } }}`,
    help: text`Families choose it at the top of the admission form, and get the form’s messages in it.`,
    kind: 'yesNo',
    default: true,
  }),
}));

const usualLanguage = setting({
  group,
  key: 'language.default',
  label: text`Language for families who have not chosen`,
  help: text`They read pages and get messages in it until they choose. English, if this one is not offered.`,
  kind: 'choice',
  options: languageNames,
  default: 'English',
});

const localLanguage = setting({
  group,
  key: 'language.local',
  label: text`Language of names in the register`,
  help: text`Names of students and adults are kept in it too, beside English letters.`,
  kind: 'choice',
  options: localLanguages,
  default: 'Gujarati',
});

/** The languages that families may choose from, in the order of the screen, and the one where none is known. */
export async function readLanguages(ctx: Pick<Services, 'db'>): Promise<{ offered: Language[]; usual: Language }> {
  const asked: Record<string, Setting> = { usual: usualLanguage };
  for (const { language, setting } of offers) asked[language] = setting;
  const values = await readSettings(ctx, asked);
  const offered = languageKeys.filter((key) => key === 'en' || values[key]);
  const wanted = languageNamed(String(values.usual));
  return { offered, usual: offered.includes(wanted) ? wanted : 'en' };
}

/** The language in which the register keeps names beside English letters. */
export const readLocalLanguage = async (ctx: Pick<Services, 'db'>): Promise<LocalLanguage> =>
  (await readSetting(ctx, localLanguage)) as LocalLanguage;

/** The languages that families may choose from, in the order of the screen. */
export const offeredLanguages = async (ctx: Pick<Services, 'db'>): Promise<Language[]> =>
  (await readLanguages(ctx)).offered;

const isOffered = (stored: RawBuilder<string>) =>
  sql<boolean>`(${stored} = 'en' or ${sql.join(
    offers.map(({ language, setting }) => sql`(${stored} = ${language} and ${settingValue(setting)})`),
    sql` or `,
  )})`;

/** A stored language, where families may still choose it; else the one where none is known. A column for any query. */
export function stillOffered(stored: RawBuilder<string>): RawBuilder<string> {
  const cases = translatedLanguages.map((key) => sql`when ${languages[key].inEnglish} then ${key}`);
  const wanted = sql<string>`(select case value ${sql.join(cases, sql` `)} else 'en' end
    from (select ${settingValue(usualLanguage)} as value) as setting)`;
  return sql<string>`(select case when ${isOffered(sql`known.language`)} then known.language
    when ${isOffered(sql`known.usual`)} then known.usual else 'en' end
    from (select ${stored} as language, ${wanted} as usual) as known)`;
}

export const languageSettings = [...offers.map(({ setting }) => setting), usualLanguage, localLanguage];
