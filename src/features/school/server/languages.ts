import { type RawBuilder, sql } from 'kysely';
import type { Language } from '#kit/contract/languages.ts';
import { setting } from '#kit/contract/setting.ts';
import { options, text } from '#kit/contract/text.ts';
import type { Services } from '#kit/server/context.ts';
import { readSetting, readSettings, settingValue } from '#kit/server/settings.ts';
import { type LocalLanguage, localLanguages } from '../contract/local-language.ts';

const common = { group: text`Languages`, kind: 'yesNo', default: true } as const;

export const offersGujarati = setting({
  ...common,
  key: 'language.offer-gu',
  label: text`Offer families Gujarati`,
  help: text`Families choose it at the top of the admission form, and get the form’s messages in it.`,
});

export const offersHindi = setting({
  ...common,
  key: 'language.offer-hi',
  label: text`Offer families Hindi`,
  help: text`Families choose it at the top of the admission form, and get the form’s messages in it.`,
});

const names = { English: 'en', Gujarati: 'gu', Hindi: 'hi' } as const;

export const usualLanguage = setting({
  group: common.group,
  key: 'language.default',
  label: text`Language for families who have not chosen`,
  help: text`They read pages and get messages in it until they choose. English, if this one is not offered.`,
  kind: 'choice',
  options: options('English', 'Gujarati', 'Hindi'),
  default: 'English',
});

export const localLanguage = setting({
  group: common.group,
  key: 'language.local',
  label: text`Language of names in the register`,
  help: text`Names of students and adults are kept in it too, beside English letters.`,
  kind: 'choice',
  options: localLanguages,
  default: 'Gujarati',
});

/** The languages that families may choose from, in the order of the screen, and the one where none is known. */
export async function readLanguages(ctx: Pick<Services, 'db'>): Promise<{ offered: Language[]; usual: Language }> {
  const { gu, hi, usual } = await readSettings(ctx, { gu: offersGujarati, hi: offersHindi, usual: usualLanguage });
  const offered: Language[] = ['en', ...(gu ? (['gu'] as const) : []), ...(hi ? (['hi'] as const) : [])];
  const wanted = names[usual as keyof typeof names];
  return { offered, usual: offered.includes(wanted) ? wanted : 'en' };
}

/** The language in which the register keeps names beside English letters. */
export const readLocalLanguage = async (ctx: Pick<Services, 'db'>): Promise<LocalLanguage> =>
  (await readSetting(ctx, localLanguage)) as LocalLanguage;

/** The languages that families may choose from, in the order of the screen. */
export const offeredLanguages = async (ctx: Pick<Services, 'db'>): Promise<Language[]> =>
  (await readLanguages(ctx)).offered;

const isOffered = (language: RawBuilder<string>) => sql<boolean>`(${language} = 'en'
    or (${language} = 'gu' and ${settingValue(offersGujarati)}) or (${language} = 'hi' and ${settingValue(offersHindi)}))`;

/** A stored language, where families may still choose it; else the one where none is known. A column for any query. */
export function stillOffered(stored: RawBuilder<string>): RawBuilder<string> {
  const wanted = sql<string>`(select case value when 'Gujarati' then 'gu' when 'Hindi' then 'hi' else 'en' end
    from (select ${settingValue(usualLanguage)} as value) as setting)`;
  return sql<string>`(select case when ${isOffered(sql`known.language`)} then known.language
    when ${isOffered(sql`known.usual`)} then known.usual else 'en' end
    from (select ${stored} as language, ${wanted} as usual) as known)`;
}
