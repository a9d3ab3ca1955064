import { AppError, type FieldErrors, problemMessage } from '#kit/contract/errors.ts';
import { fieldErrors, fieldInfo } from '#kit/contract/fields.ts';
import { text } from '#kit/contract/text.ts';
import type { LinkContext, LinkHolder } from '#kit/server/context.ts';
import { toWire } from '#kit/server/database/row-map.ts';
import { queueMessage } from '#kit/server/messages/outbox.ts';
import { aadhaarMark } from '#kit/server/security/aadhaar.ts';
import { seal } from '#kit/server/security/sealed.ts';
import { additionalInfoDraft } from '../contract/additional-info.ts';
import { basicInfoDraft, photoRequired } from '../contract/basic-info.ts';
import { requiredDocuments } from '../contract/document.ts';
import { healthDraft } from '../contract/health.ts';
import { documentsRequired, type Gap, type Language, unsavedChange } from '../contract/language.ts';
import { type FormPath, formPaths } from '../contract/pages.ts';
import { absentParents, familyPhotoRequired, parentInfoDraft } from '../contract/parent-info.ts';
import { publishedAs } from '../contract/state.ts';
import { openAadhaar } from './aadhaar.ts';
import { readAdditionalInfo } from './additional-info.ts';
import { readBasicInfo } from './basic-info.ts';
import { readDocuments } from './document.ts';
import { dropDrafts, unsavedField } from './draft.ts';
import { readEducation } from './education.ts';
import { auditChange, isPageOpen, type OpenForm } from './form.ts';
import { readHealth } from './health.ts';
import { getInquiry, notApplicable, waivedDocuments } from './inquiry.ts';
import { readParentInfo } from './parent-info.ts';
import { tellReviewer } from './reviewer.ts';
import { stateAfter } from './state.ts';
import { inquiryColumns } from './wire.ts';

/**
 * Submits an open form: checks, frozen copy, message and audit in one transaction (A36, C8, J4). A correction adds a
 * frozen copy and leaves the earlier ones as they are. Returns the link holder as it is now.
 */
export async function submitForm(
  ctx: LinkContext,
  { openPages, state: before }: OpenForm,
  language: Language | undefined,
): Promise<LinkHolder> {
  const isCorrection = openPages.length > 0;
  const state = stateAfter(isCorrection ? 'resubmit' : 'submit', before);
  const pages = await readPages(ctx, language);
  await refuseGaps(ctx, pages, openPages);

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
  const status = publishedAs[state] ?? ctx.inquiry.status;
  await ctx.db
    .updateTable('admission_inquiry')
    .set({ submitted_at: now, received_at: now, status, state, open_pages: [] })
    .where('id', '=', ctx.inquiry.id)
    .execute();
  if (isCorrection) await answerCorrection(ctx);
  await dropDrafts(ctx);
  await confirm(ctx, id);
  const inquiryNo = ctx.inquiry.number;
  await tellReviewer(ctx, {
    kind: 'admission.form',
    text: isCorrection
      ? text`The family of ${{ inquiryNo }} returned the correction.`
      : text`The family of ${{ inquiryNo }} submitted the form.`,
    orElse: { sets: ['office'] },
  });
  const action = `admission.form.${isCorrection ? 'corrected' : 'submitted'}`;
  await auditChange(ctx, { action, entity: 'admission_inquiry' });
  return { ...ctx.inquiry, submittedAt: now, status, openPages: [] };
}

/** The sections that needed a correction are to be reviewed again; those that were accepted stay accepted. */
async function answerCorrection({ db, inquiry, now }: LinkContext) {
  await db
    .updateTable('admission_correction')
    .set({ answered_at: now() })
    .where('inquiry_id', '=', inquiry.id)
    .where('answered_at', 'is', null)
    .execute();
  await db
    .deleteFrom('admission_verdict')
    .where('inquiry_id', '=', inquiry.id)
    .where('result', '=', 'Needs correction')
    .execute();
}

async function readPages(ctx: LinkContext, language: Language | undefined) {
  return {
    basicInfo: (await readBasicInfo(ctx)).data.lstStudentAdmissionBasicInfoModel[0],
    parentInfo: (await readParentInfo(ctx)).data.lstStudentAdmissionParentInfo[0],
    health: (await readHealth(ctx)).data.lstStudentAdmissionChildHealthDetailsModel[0],
    education: (await readEducation(ctx)).data.lstStudentAdmissionChildEducationHistoryModel,
    additionalInfo: (await readAdditionalInfo(ctx)).data.lstStudentAdmissionAdditionalInfoModel[0],
    documents: (await readDocuments(ctx)).data.resultList,
    language,
    aadhaarMark: await markAadhaar(ctx),
  };
}

/** Both masks may be equal although the number was corrected. */
async function markAadhaar(ctx: LinkContext) {
  const stored = await ctx.db
    .selectFrom('admission_basic_info')
    .where('inquiry_id', '=', ctx.inquiry.id)
    .select('aadhaar')
    .executeTakeFirst();
  return stored && aadhaarMark(ctx.keys, openAadhaar(ctx, ctx.inquiry.id, stored.aadhaar));
}

type Pages = Awaited<ReturnType<typeof readPages>>;

/**
 * Validates the stored pages by their own rules: a rule may have changed, or a page may never have been opened. In a
 * correction only gaps on open pages count, since the family cannot fill the others.
 */
async function refuseGaps(ctx: LinkContext, pages: Pages, openPages: readonly number[]) {
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
  const isOpen = ({ page }: Pick<Gap, 'page'>) => isPageOpen(openPages, pageNumberOf(page));
  const gaps: Gap[] = [
    ...gapsOf('/admission', basicInfoDraft, pages.basicInfo, { admissionStudentImageIFormFile: photoRequired }),
    ...gapsOf('/admission1', parentInfoDraft, pages.parentInfo, { FamilyImageIFormFile: familyPhotoRequired }),
    ...gapsOf('/admission2', healthDraft, pages.health),
    ...gapsOf('/admission3', additionalInfoDraft, pages.additionalInfo),
    ...(await unsavedChanges(ctx, pages)),
  ].filter(isOpen);

  const present = new Set([
    ...pages.documents.map((document) => document.documentName),
    ...(await waivedDocuments(ctx)),
  ]);
  const missing: Gap = { page: '/admission4', field: 'documentName', message: documentsRequired };
  const isComplete = !isOpen(missing) || requiredDocuments.every((name) => present.has(name));
  if (!isComplete) gaps.push(missing);
  if (gaps.length === 0) return;

  const fields: FieldErrors = isComplete ? {} : { documentName: documentsRequired };
  const message = gaps.length === 1 && !isComplete ? documentsRequired : problemMessage;
  throw new AppError('invalid', message, { fields, data: { gaps } });
}

/** The number of a page, from 1 to 5, by its address. */
const pageNumberOf = (path: string) => formPaths.indexOf(path as FormPath) + 1;

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
