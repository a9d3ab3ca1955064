import { languageNamed } from '#kit/contract/language-names.ts';
import type { Language } from '#kit/contract/languages.ts';
import type { LinkContext } from '#kit/server/context.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { pageLanguageApi } from '../contract/page-language.ts';
import { auditChange, checkOwner } from './form.ts';

/** Who named the language of a family's messages. */
type By = 'Form' | 'Page';

const choose: Handler<typeof pageLanguageApi.choose> = async (ctx, input) => {
  checkOwner(ctx, input);
  await keepLanguage(ctx, input.language, 'Page');
  return { isSuccess: true, message: '' };
};

export default routes(pageLanguageApi, { choose });

/** The language of the family's answer on the last page, which counts before its choice on a page and the office's. */
export const keepAnswered = (ctx: LinkContext, answer: string) => keepLanguage(ctx, languageNamed(answer), 'Form');

async function keepLanguage(ctx: LinkContext, language: Language, by: By) {
  const { id } = ctx.inquiry;
  const before = await ctx.db
    .selectFrom('admission_inquiry')
    .where('id', '=', id)
    .select(['language', 'language_by'])
    .forUpdate()
    .executeTakeFirstOrThrow();
  const isKept = before.language === language && before.language_by === by;
  if (isKept || (by === 'Page' && before.language_by === 'Form')) return;
  await ctx.db.updateTable('admission_inquiry').set({ language, language_by: by }).where('id', '=', id).execute();
  await auditChange(ctx, { action: 'admission.language.chosen', entity: 'admission_inquiry', details: { language } });
}
