import { type RawBuilder, sql } from 'kysely';
import type { Language } from '#kit/contract/languages.ts';
import { setting } from '#kit/contract/setting.ts';
import { text } from '#kit/contract/text.ts';
import type { Services } from '#kit/server/context.ts';
import { readSettings, settingValue } from '#kit/server/settings.ts';

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

/** The languages that families may choose from, in the order of the screen. */
export async function offeredLanguages(ctx: Pick<Services, 'db'>): Promise<Language[]> {
  const { gu, hi } = await readSettings(ctx, { gu: offersGujarati, hi: offersHindi });
  return ['en', ...(gu ? (['gu'] as const) : []), ...(hi ? (['hi'] as const) : [])];
}

/** A stored language, where families may still choose it; English else. A column for any query. */
export const stillOffered = (stored: RawBuilder<string>): RawBuilder<string> =>
  sql<string>`case when (${stored} = 'gu' and ${settingValue(offersGujarati)})
    or (${stored} = 'hi' and ${settingValue(offersHindi)}) then ${stored} else 'en' end`;
