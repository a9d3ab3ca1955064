import type { LinkContext } from '#kit/server/context.ts';
import { columnsOf, toRow, toWire } from '#kit/server/database/row-map.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { type Language, languageApi, submitted } from '../contract/language.ts';
import { answer, checkOwner, done, isClosed, openForChange, submittedAnswer } from './form.ts';
import { keepAnswered } from './page-language.ts';
import { submitForm } from './submit.ts';
import { languageColumns } from './wire.ts';

const list = 'lstStudentAdmissionLanguageDtlModel';
const page = 5;

const get: Handler<typeof languageApi.get> = async (ctx, input) => {
  checkOwner(ctx, input);
  if (isClosed(ctx, page)) return submittedAnswer(ctx, list);
  return readLanguage(ctx);
};

/** Submits the form, or a correction that reopens the last page, with the answers about languages. */
const submit: Handler<typeof languageApi.submit> = async (ctx, input) => {
  const form = await openForChange(ctx, input, page);
  const replacedLanguage = input.isChildHaveReplacedLang ? input.repalcedLangOfChild : '';
  const row = {
    ...toRow(languageColumns, { ...input, repalcedLangOfChild: replacedLanguage }),
    first_generation_learner: input.isChildFluentInEnglish === true,
    has_replaced_language: input.isChildHaveReplacedLang === true,
    updated_at: ctx.now(),
  };
  await ctx.db
    .insertInto('admission_language')
    .values({ inquiry_id: ctx.inquiry.id, ...row })
    .onConflict((conflict) => conflict.column('inquiry_id').doUpdateSet(row))
    .execute();
  await keepAnswered(ctx, input.langPreferanceWithSchool);
  const closed = await submitForm(ctx, form, await findLanguage(ctx));
  return done(submittedAnswer({ ...ctx, inquiry: closed }, list), submitted);
};

export default routes(languageApi, { get, submit });

export async function readLanguage(ctx: LinkContext) {
  const stored = await ctx.db
    .selectFrom('admission_language')
    .where('inquiry_id', '=', ctx.inquiry.id)
    .select([...columnsOf(languageColumns), 'version', 'created_at', 'updated_at'])
    .executeTakeFirst();
  if (!stored) return answer(list, [] as Language[]);
  const row: Language = {
    ...toWire(languageColumns, stored),
    studentAdmissionLanguageDtlID: ctx.inquiry.id,
    admissionID: ctx.inquiry.id,
    inquiryNo: ctx.inquiry.number,
    createdBy: 0,
    createddatetime: stored.created_at.toISOString(),
    updatedby: 0,
    updateddatetime: stored.updated_at.toISOString(),
  };
  return answer(list, [row], stored.version);
}

/** The saved languages; undefined before the first submission. */
export const findLanguage = async (ctx: LinkContext) => (await readLanguage(ctx)).data[list][0];
