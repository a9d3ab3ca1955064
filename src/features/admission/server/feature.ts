import { text } from '#kit/contract/text.ts';
import { serverFeature } from '#kit/server/feature.ts';
import { admissionPages } from '../contract/pages.ts';
import { accountRoutes } from './account/account.ts';
import { accountRuns } from './account/create-many.ts';
import { accountListRoutes } from './account/list.ts';
import { admissionCard } from './account/record-card.ts';
import { accountCard, inquiryCard, reviewCard } from './dashboard-card.ts';
import { importRoutes } from './import.ts';
import { inquiryRoutes } from './inquiry.ts';
import { inquiryListRoutes } from './list.ts';
import { correctionRuns } from './remind-correction.ts';
import { reviewRoutes } from './review.ts';
import { reviewListRoutes } from './review-list.ts';
import { inquirySearch } from './search.ts';
import { dailyReminders, inquiryRuns } from './send-many.ts';
import { reminderSettings } from './settings.ts';
import { siblingRoutes } from './sibling.ts';

export const admission = serverFeature({
  pages: admissionPages,
  routes: [
    ...inquiryListRoutes,
    ...inquiryRoutes,
    ...siblingRoutes,
    ...importRoutes,
    ...reviewListRoutes,
    ...reviewRoutes,
    ...accountListRoutes,
    ...accountRoutes,
  ],
  settings: reminderSettings,
  searches: [inquirySearch],
  runs: { ...inquiryRuns, ...correctionRuns, ...accountRuns },
  daily: [dailyReminders],
  cards: [inquiryCard, reviewCard, accountCard],
  recordCards: [admissionCard],
  seed: () => import('../seed.ts'),
  auditWords: {
    actions: {
      'admission-account.exported': text`Exported applications`,
      'admission.account.created': text`Created the account`,
      'inquiry.exported': text`Exported inquiries`,
      'inquiry.imported': text`Imported inquiries`,
      'admission.inquiry.checked': text`Was shown inquiries of a family`,
      'admission.inquiry.changed': text`Changed the inquiry`,
      'admission.inquiry.assigned': text`Assigned the inquiry`,
      'admission.inquiry.followed-up': text`Logged a follow-up`,
      'admission.sibling.linked': text`Linked a brother or sister`,
      'admission.sibling.unlinked': text`Ended the link to a brother or sister`,
      'admission.inquiry.lost': text`Marked as lost`,
      'admission.inquiry.reopened': text`Reopened`,
      'review.exported': text`Exported the review list`,
      'admission.inquiry.rejected': text`Rejected`,
      'admission.inquiry.withdrawn': text`Marked as withdrawn`,
      'admission.inquiry.verified': text`Marked as verified`,
      'admission.review.started': text`Started the review`,
      'admission.review.assigned': text`Assigned the review`,
      'admission.section.accepted': text`Accepted a section`,
      'admission.section.questioned': text`Marked a section for correction`,
      'admission.section.unquestioned': text`Removed a remark`,
      'admission.document.verified': text`Verified a document`,
      'admission.document.rejected': text`Rejected a document`,
      'admission.verdict.undone': text`Undid a verdict`,
      'admission.correction.requested': text`Asked the family for a correction`,
      'admission.waiver.given': text`Waived`,
      'admission.waiver.ended': text`Ended a waiver`,
      'admission.note.added': text`Wrote an internal note`,
      'admission.message.read': text`Read a message of the family`,
      'admission.message.replied': text`Replied to a message of the family`,
      'admission.aadhaar.revealed': text`Saw the whole Aadhaar number`,
      'admission.form.viewed': text`Read the form`,
      'admission.file.viewed': text`Opened a file of the form`,
      'admission.link.reminded': text`Reminded the family`,
      'admission.link.copied': text`Copied the form’s link`,
      'admission.link.extended': text`Extended the form’s link`,
      'admission.correction.reminded': text`Reminded the family of the correction`,
    },
    records: {
      'admission-account': { kind: text`List of accounts`, findNames: async () => [] },
      review: { kind: text`Review list`, findNames: async () => [] },
      inquiry: { kind: text`Inquiry list`, findNames: async () => [] },
    },
  },
});
