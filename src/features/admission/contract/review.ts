import * as z from 'zod/mini';
import { staff } from '#access/contract/grants.ts';
import { staffNames } from '#access/contract/staff-names.ts';
import { additionalInfo, additionalInfoDraft } from '#features/admission-form/contract/additional-info.ts';
import { basicInfo, basicInfoDraft } from '#features/admission-form/contract/basic-info.ts';
import { pageOfSection, type ReviewSection, reviewSections } from '#features/admission-form/contract/correction.ts';
import { documentNames } from '#features/admission-form/contract/document.ts';
import { education, educationDraft } from '#features/admission-form/contract/education.ts';
import { health, healthDraft } from '#features/admission-form/contract/health.ts';
import { language, languageDraft } from '#features/admission-form/contract/language.ts';
import { parentInfo, parentInfoDraft } from '#features/admission-form/contract/parent-info.ts';
import { inquiryStates } from '#features/admission-form/contract/state.ts';
import { lookupsAt } from '#features/school/contract/lookup.ts';
import { abilities } from '#kit/contract/abilities.ts';
import { anyText } from '#kit/contract/any-text.ts';
import { bulkAnswer } from '#kit/contract/bulk.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { freeText, id, idAndVersion, oneOf, optionalFreeText, rule, tick } from '#kit/contract/fields.ts';
import { selection } from '#kit/contract/list-view.ts';
import { confirmToken } from '#kit/contract/preview.ts';
import { servedFile } from '#kit/contract/served-file.ts';
import { neededId } from '#kit/contract/shell-fields.ts';
import { options, text } from '#kit/contract/text.ts';
import { familyMessage } from './family-message.ts';
import { endReason, parents, similar, startedRun } from './inquiry.ts';
import { path, reviewPaperApi, reviewReaders } from './review-paper.ts';

const reviewers = [staff('office', 'admissionHead')] as const;
export const withdrawnReasons = lookupsAt('/review/withdrawn-reason', reviewers, 'Reason withdrawn');
export const reviewShows = ['inquiry', 'branch', 'grade', 'staff'];
const changes = ['inquiry'];

/** The sections with answers, each of which has a verdict; that of the documents follows from theirs. */
export const answerSections = options('Child', 'Family', 'Health', 'Contacts', 'Languages');
export type AnswerSection = (typeof answerSections)[number];
const sectionVerdicts = options('Accepted', 'Needs correction');
const documentVerdicts = options('Verified', 'Rejected');

const draftFields = {
  Child: [basicInfoDraft.shape, { admissionStudentImageIFormFile: true }],
  Family: [
    parentInfoDraft.shape,
    { FamilyImageIFormFile: true, DivorceDocumentIFormFile: true, AdoptionDocumentIFormFile: true },
  ],
  Health: [healthDraft.shape, educationDraft.shape, { VaccinationFileIFormFile: true }],
  Contacts: [additionalInfoDraft.shape],
  Languages: [languageDraft.shape],
} as const satisfies Record<AnswerSection, readonly object[]>;

/** Whether a section of the form has this field; '' stands for the whole section. */
export const hasField = (section: ReviewSection, field: string): boolean =>
  field === '' ||
  (section === 'Documents'
    ? (documentNames as readonly string[]).includes(field)
    : (draftFields[section] ?? []).some((shape) => Object.hasOwn(shape, field)));

export const pagesOf = (sections: readonly ReviewSection[]): number[] =>
  [...new Set(sections.map((section) => pageOfSection[section]))].sort();

const remark = z.object({ id: z.number(), section: z.enum(reviewSections), field: z.string(), remark: z.string() });

const moment = z.iso.datetime();
const momentOrNone = z.nullable(moment);

export const reviewedDocument = z.object({
  id: z.number(),
  name: z.enum(documentNames),
  description: z.string(),
  mediaType: z.string(),
  /** It was added after the submission before. */
  isNew: z.boolean(),
  result: z.nullable(z.enum(documentVerdicts)),
  isOriginalSeen: z.boolean(),
  remark: z.string(),
  decidedBy: z.string(),
});
export type ReviewedDocument = z.infer<typeof reviewedDocument>;

const record = z.object({
  id: z.number(),
  version: z.number(),
  /** Grows with each submission and each change of names, birth date and gender; verdicts name it. */
  answersVersion: z.number(),
  may: abilities('review', 'decide', 'reject', 'reopen'),
  inquiryNo: z.string(),
  child: z.string(),
  grade: z.string(),
  academicYear: z.string(),
  /** On the year's cut-off date, and whether the grade takes it. */
  age: z.nullable(z.object({ words: anyText, isOutside: z.boolean() })),
  /** The parent to call. */
  contact: z.nullable(z.object({ name: z.string(), parent: z.enum(parents), mobile: z.string() })),
  state: z.enum(inquiryStates),
  endedReason: z.string(),
  submittedAt: z.string(),
  /** Whole days since the last submission. */
  waitingDays: z.number(),
  reviewer: z.nullable(z.object({ id: z.number(), name: z.string() })),
  sections: z.array(
    z.object({
      section: z.enum(reviewSections),
      result: z.nullable(z.enum(sectionVerdicts)),
      decidedBy: z.string(),
      /** Words about it that are not sent yet. */
      remarks: z.array(remark),
    }),
  ),
  documents: z.array(reviewedDocument),
  /** Required documents that are neither uploaded nor waived. */
  missing: z.array(z.string()),
  waivers: z.array(z.object({ what: z.string(), reason: z.string() })),
  /** Parents whom the family says it cannot name, with its reason. */
  absences: z.array(z.object({ parent: z.string(), reason: z.string() })),
  /** The employee number that the family gives for a parent who works here, and whose it is. */
  staffParent: z.nullable(
    z.object({ employeeNumber: z.string(), staff: z.nullable(z.object({ id: z.number(), name: z.string() })) }),
  ),
  notes: z.array(z.object({ id: z.number(), at: moment, by: z.string(), note: z.string() })),
  messages: z.array(familyMessage),
  /** Newest first. */
  corrections: z.array(
    z.object({ id: z.number(), at: moment, by: z.string(), answeredAt: momentOrNone, remarks: z.array(remark) }),
  ),
  similar: z.array(similar),
  /** What comes after the review, for this person; null while it is not verified. */
  nextStep: z.nullable(z.enum(['plan', 'offer', 'wait'])),
  /** The form that has waited next longest; null after the last. */
  next: z.nullable(z.number()),
});
export type ReviewRecord = z.infer<typeof record>;

/** The answers of a submitted form. Each read is audited. */
const answers = z.object({
  child: z.nullable(basicInfo),
  family: z.nullable(parentInfo),
  health: z.nullable(health),
  contacts: z.nullable(additionalInfo),
  languages: z.nullable(language),
  schools: z.array(education),
  /** The names of the chosen sectors and specialties. */
  careers: z.array(z.object({ id: z.number(), name: z.string() })),
  detailsNotApplicable: z.array(z.enum(['father', 'mother'])),
  /** Fields with values of the inquiry, which the office changes there and the family can’t. */
  locked: z.array(z.string()),
  /** Answers that the correction changed, as section and field. */
  changed: z.array(z.object({ section: z.enum(answerSections), field: z.string() })),
});
export type ReviewAnswers = z.infer<typeof answers>;

/** A form with the answers that were shown; an act on other answers is refused as stale. */
const shownAnswers = { id, answersVersion: id };
const done = z.object({});
const reason = freeText(text`Reason`, 300);

const waivable = options('Father', 'Mother', 'Birth Certificate', 'Aadhar Card');

export const reviewPickLists = { reviewerId: staffNames.options };

export const reviewApi = {
  read: endpoint({
    method: 'GET',
    path: `${path}/:id/record`,
    opens: 'inquiry',
    access: reviewReaders,
    shows: reviewShows,
    input: z.object({ id }),
    output: record,
  }),
  answers: endpoint({
    method: 'GET',
    path: `${path}/:id/answers`,
    opens: 'inquiry',
    access: reviewReaders,
    shows: ['admission-answers'],
    /** The version of the record, so that a page reads the answers again with it. */
    input: z.object({ id, answersVersion: z.optional(id) }),
    output: answers,
  }),
  ...reviewPaperApi,
  /** A picture or paper of the form. Each view is audited. */
  file: endpoint({
    method: 'GET',
    path: `${path}/:id/file/:file`,
    opens: 'inquiry',
    access: reviewReaders,
    input: z.object({ id, file: z.uuid() }),
    output: servedFile,
  }),
  document: endpoint({
    method: 'GET',
    path: `${path}/:id/document/:document/file`,
    opens: 'inquiry',
    access: reviewReaders,
    input: z.object({ id, document: id }),
    output: servedFile,
  }),
  /** Takes the review; a submitted form is under review from then on. */
  start: endpoint({
    method: 'POST',
    path: `${path}/:id/start`,
    access: reviewers,
    changes,
    input: z.object({ id }),
    output: done,
  }),
  acceptSection: endpoint({
    method: 'POST',
    path: `${path}/:id/section`,
    access: reviewers,
    changes,
    input: z.object({
      ...shownAnswers,
      section: oneOf(text`Section`, answerSections),
      /** Confirms that there is a parent whom the family cannot name. */
      confirmsAbsence: z._default(z.boolean(), false),
    }),
    output: done,
  }),
  /** Removes the verdict on an accepted section; that on a section with words ends with the words. */
  undoSection: endpoint({
    method: 'DELETE',
    path: `${path}/:id/section/:section`,
    access: reviewers,
    changes,
    input: z.object({ ...shownAnswers, section: z.enum(answerSections) }),
    output: done,
  }),
  /** Words about an answer, or about the whole section: the section needs a correction. They replace earlier ones. */
  addRemark: endpoint({
    method: 'POST',
    path: `${path}/:id/remark`,
    access: reviewers,
    changes,
    input: z
      .object({
        ...shownAnswers,
        section: oneOf(text`Section`, answerSections),
        field: optionalFreeText(text`Answer`, 60),
        remark: freeText(text`What should the family correct?`, 500),
      })
      .check(
        rule<{ section: string; field: string }>(({ section, field }, say) => {
          if (!hasField(section as AnswerSection, field ?? '')) say('field', text`Choose one from the list.`);
        }),
      ),
    output: done,
  }),
  /** Removes words that are not sent yet; without any, the section has no verdict. */
  removeRemark: endpoint({
    method: 'DELETE',
    path: `${path}/:id/remark/:remarkId`,
    access: reviewers,
    changes,
    input: z.object({ ...shownAnswers, remarkId: id }),
    output: done,
  }),
  decideDocument: endpoint({
    method: 'POST',
    path: `${path}/:id/document/:document`,
    access: reviewers,
    changes,
    input: z
      .object({
        ...shownAnswers,
        document: id,
        result: oneOf(text`Verdict`, documentVerdicts),
        isOriginalSeen: tick(text`Original seen`),
        remark: optionalFreeText(text`Remark`, 500),
      })
      .check(
        rule<{ result: string; remark: string }>(({ result, remark }, say) => {
          if (result === 'Rejected' && remark === '') say('remark', text`Say why, so that it can be corrected.`);
        }),
      ),
    output: done,
  }),
  undoDocument: endpoint({
    method: 'DELETE',
    path: `${path}/:id/document/:document`,
    access: reviewers,
    changes,
    input: z.object({ ...shownAnswers, document: id }),
    output: done,
  }),
  /** Reopens the pages of every section that needs a correction, and sends the family the link. */
  requestCorrection: endpoint({
    method: 'POST',
    path: `${path}/:id/correction`,
    access: reviewers,
    changes,
    input: z.object(idAndVersion),
    output: z.object({ pages: z.array(z.number()), sentTo: z.number() }),
  }),
  verify: endpoint({
    method: 'POST',
    path: `${path}/:id/verify`,
    access: reviewers,
    changes,
    input: z.object(idAndVersion),
    output: done,
  }),
  reviewAgain: endpoint({
    method: 'POST',
    path: `${path}/:id/again`,
    access: reviewers,
    changes,
    input: z.object({ ...idAndVersion, reason }),
    output: done,
  }),
  reject: endpoint({
    method: 'POST',
    path: `${path}/:id/reject`,
    access: [staff('admissionHead')],
    changes,
    input: z.object({ ...idAndVersion, reason }),
    output: done,
  }),
  withdrawnReasons: withdrawnReasons.options,
  withdraw: endpoint({
    method: 'POST',
    path: `${path}/:id/withdraw`,
    access: reviewers,
    changes,
    input: z.object({ ...idAndVersion, ...endReason }),
    output: done,
  }),
  /** Lets the form pass without a document or without a parent’s details. */
  waive: endpoint({
    method: 'POST',
    path: `${path}/:id/waiver`,
    access: reviewers,
    changes: [...changes, 'admission-answers'],
    input: z.object({ ...shownAnswers, what: oneOf(text`Waive`, waivable), reason }),
    output: done,
  }),
  endWaiver: endpoint({
    method: 'DELETE',
    path: `${path}/:id/waiver/:waived`,
    access: reviewers,
    changes: [...changes, 'admission-answers'],
    input: z.object({ ...shownAnswers, waived: z.enum(waivable) }),
    output: done,
  }),
  addNote: endpoint({
    method: 'POST',
    path: `${path}/:id/note`,
    access: reviewers,
    changes,
    input: z.object({ id, note: freeText(text`Note`, 2000) }),
    output: done,
  }),
  markRead: endpoint({
    method: 'POST',
    path: `${path}/:id/message/:message/read`,
    access: reviewers,
    changes,
    input: z.object({ id, message: id }),
    output: done,
  }),
  /** Emails the reply to the parents who have an address. */
  reply: endpoint({
    method: 'POST',
    path: `${path}/:id/message/:message/reply`,
    access: reviewers,
    changes,
    input: z.object({ id, message: id, words: freeText(text`Reply`, 1000) }),
    output: done,
  }),
  /** The whole Aadhaar number. Each reveal is audited with its reason. */
  reveal: endpoint({
    method: 'POST',
    path: `${path}/:id/reveal`,
    access: reviewReaders,
    opens: 'inquiry',
    isReveal: true,
    changes,
    input: z.object({ id, reason }),
    output: z.object({ aadhaar: z.string() }),
  }),
  /** Reminds the selected families that are asked for a correction, as a run. */
  remindMany: endpoint({
    method: 'POST',
    path: `${path}/remind-many`,
    access: reviewers,
    changes,
    input: z.object({ selection, confirmToken }),
    output: startedRun,
  }),
  assign: endpoint({
    method: 'POST',
    path: `${path}/assign`,
    access: reviewers,
    changes,
    input: z.object({ selection, reviewerId: neededId(text`Reviewer`), confirmToken }),
    output: bulkAnswer,
  }),
};
