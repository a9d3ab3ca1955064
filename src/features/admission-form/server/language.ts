import { AppError, type FieldErrors, problemMessage } from '#kit/contract/errors.ts';
import { fieldErrors, fieldInfo } from '#kit/contract/fields.ts';
import { options } from '#kit/contract/text.ts';
import type { LinkContext } from '#kit/server/context.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { queueMessage } from '#kit/server/messages/outbox.ts';
import { seal } from '#kit/server/security/sealed.ts';
import { additionalInfoDraft } from '../contract/additional-info.ts';
import { basicInfoDraft, photoRequired } from '../contract/basic-info.ts';
import { requiredDocuments } from '../contract/document.ts';
import { healthDraft } from '../contract/health.ts';
import {
  documentsRequired,
  type Gap,
  type Language,
  languageApi,
  submitted,
  unsavedChange,
} from '../contract/language.ts';
import { absentParents, familyPhotoRequired, parentInfoDraft } from '../contract/parent-info.ts';
import { inquiryTransitions } from '../contract/state.ts';
import { readAdditionalInfo } from './additional-info.ts';
import { readBasicInfo } from './basic-info.ts';
import { readDocuments } from './document.ts';
import { dropDrafts, unsavedField } from './draft.ts';
import { readEducation } from './education.ts';
import { answer, auditChange, checkOwner, done, openForChange, submittedAnswer } from './form.ts';
import { readHealth } from './health.ts';
import { getInquiry, notApplicable, waivedDocuments } from './inquiry.ts';
import { readParentInfo } from './parent-info.ts';
import { columnsOf, inquiryColumns, languageColumns, toRow, toWire } from './wire.ts';

const list = 'lstStudentAdmissionLanguageDtlModel';
const [received] = options('Received');

const get: Handler<typeof languageApi.get> = async (ctx, input) => {
  checkOwner(ctx, input);
  if (ctx.inquiry.submittedAt) return submittedAnswer(ctx, list);
  return readLanguage(ctx);
};

/** Submits the form: answers, checks, frozen copy, message and audit in one transaction (A36, C8, J4). */
const submit: Handler<typeof languageApi.submit> = async (ctx, input) => {
  await openForChange(ctx, input);
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

  const pages = await readPages(ctx);
  await refuseGaps(ctx, pages);

  const now = ctx.now();
  const { id } = await ctx.db
    .insertInto('admission_submission')
    .values({
      inquiry_id: ctx.inquiry.id,
      copy: seal(ctx.keys.data, `admission_submission.copy:${ctx.inquiry.id}`, JSON.stringify(pages)),
      submitted_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await ctx.db
    .updateTable('admission_inquiry')
    .set({ submitted_at: now, status: received, state: inquiryTransitions.submit.to })
    .where('id', '=', ctx.inquiry.id)
    .execute();
  await dropDrafts(ctx);
  await confirm(ctx, id);
  await auditChange(ctx, { action: 'admission.form.submitted', entity: 'admission_inquiry' });
  return done(
    submittedAnswer({ ...ctx, inquiry: { ...ctx.inquiry, submittedAt: now, status: received } }, list),
    submitted,
  );
};

export default routes(languageApi, { get, submit });

async function readLanguage(ctx: LinkContext) {
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

async function readPages(ctx: LinkContext) {
  return {
    basicInfo: (await readBasicInfo(ctx)).data.lstStudentAdmissionBasicInfoModel[0],
    parentInfo: (await readParentInfo(ctx)).data.lstStudentAdmissionParentInfo[0],
    health: (await readHealth(ctx)).data.lstStudentAdmissionChildHealthDetailsModel[0],
    education: (await readEducation(ctx)).data.lstStudentAdmissionChildEducationHistoryModel,
    additionalInfo: (await readAdditionalInfo(ctx)).data.lstStudentAdmissionAdditionalInfoModel[0],
    documents: (await readDocuments(ctx)).data.resultList,
    language: (await readLanguage(ctx)).data.lstStudentAdmissionLanguageDtlModel[0],
  };
}

type Pages = Awaited<ReturnType<typeof readPages>>;

/** Validates the stored pages by their own rules: a rule may have changed, or a page may never have been opened. */
async function refuseGaps(ctx: LinkContext, pages: Pages) {
  const inquiry = await getInquiry(ctx);
  const detailsNotApplicable = notApplicable(inquiry);
  // The page does not ask for values that the inquiry has, so they cannot be missing.
  const known = Object.fromEntries(Object.entries(toWire(inquiryColumns, inquiry)).filter(([, value]) => value));
  const absent = absentParents(pages.parentInfo);
  const gapsOf = (page: string, draft: PageDraft, stored?: object, missingFile: FieldErrors = {}): Gap[] => {
    const isAsked = (name: string) => !absent.some((who) => name.startsWith(who));
    const asked = Object.fromEntries(Object.entries(known).filter(([name]) => isAsked(name)));
    const { error } = draft.safeParse({
      ...stored,
      ...asked,
      inquiryNo: undefined,
      detailsNotApplicable: [...detailsNotApplicable, ...absent],
    });
    const errors = { ...(error && fieldErrors(error)), ...(!stored && missingFile) };
    return Object.entries(errors).map(([field, message]) => ({ page, field, label: labelOf(draft, field), message }));
  };
  const gaps: Gap[] = [
    ...gapsOf('/admission', basicInfoDraft, pages.basicInfo, { admissionStudentImageIFormFile: photoRequired }),
    ...gapsOf('/admission1', parentInfoDraft, pages.parentInfo, { FamilyImageIFormFile: familyPhotoRequired }),
    ...gapsOf('/admission2', healthDraft, pages.health),
    ...gapsOf('/admission3', additionalInfoDraft, pages.additionalInfo),
    ...(await unsavedChanges(ctx, pages)),
  ];

  const present = new Set([
    ...pages.documents.map((document) => document.documentName),
    ...(await waivedDocuments(ctx)),
  ]);
  const isComplete = requiredDocuments.every((name) => present.has(name));
  if (!isComplete) gaps.push({ page: '/admission4', field: 'documentName', message: documentsRequired });
  if (gaps.length === 0) return;

  const fields: FieldErrors = isComplete ? {} : { documentName: documentsRequired };
  const message = gaps.length === 1 && !isComplete ? documentsRequired : problemMessage;
  throw new AppError('invalid', message, { fields, data: { gaps } });
}

/** A draft that is newer than its saved page stops the submission: the newer answers would be lost. */
async function unsavedChanges(ctx: LinkContext, pages: Pages): Promise<Gap[]> {
  const drafts = [
    ['/admission', 'basic-info', basicInfoDraft, pages.basicInfo],
    ['/admission1', 'parent-info', parentInfoDraft, pages.parentInfo],
    ['/admission2', 'health', healthDraft, pages.health],
    ['/admission3', 'additional-info', additionalInfoDraft, pages.additionalInfo],
  ] as const;
  const gaps: Gap[] = [];
  for (const [page, name, draft, saved] of drafts) {
    const field = saved && (await unsavedField(ctx, name, saved));
    if (field) gaps.push({ page, field, label: labelOf(draft, field), message: unsavedChange });
  }
  return gaps;
}

interface PageDraft {
  shape: object;
  safeParse: (value: unknown) => { error?: Parameters<typeof fieldErrors>[0] };
}

/** The label of a field, for messages that do not name it. */
function labelOf({ shape }: PageDraft, name: string) {
  const field = shape[name as never]; // A file is not in the schema.
  return field && fieldInfo.get(field)?.label;
}

/** One message to each parent with an email address in the inquiry; the key prevents a second one (B15). */
async function confirm(ctx: LinkContext, submissionId: number) {
  const inquiry = await getInquiry(ctx);
  const addresses = new Set([inquiry.father_email, inquiry.mother_email].filter((address) => address !== null));
  for (const recipient of addresses) {
    await queueMessage(ctx, {
      channel: 'email',
      template: 'admission.submitted',
      recipient,
      subjectId: ctx.inquiry.id,
      dedupeKey: `admission.submitted:${submissionId}:${recipient}`,
    });
  }
}
