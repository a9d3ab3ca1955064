import { text } from '#kit/contract/text.ts';
import { serverFeature } from '#kit/server/feature.ts';
import { admissionPages } from '../contract/pages.ts';
import { inquiryCard } from './dashboard-card.ts';
import { inquiryRoutes } from './inquiry.ts';
import { inquiryListRoutes } from './list.ts';
import { inquirySearch } from './search.ts';

export const admission = serverFeature({
  pages: admissionPages,
  routes: [...inquiryListRoutes, ...inquiryRoutes],
  searches: [inquirySearch],
  cards: [inquiryCard],
  seed: () => import('../seed.ts'),
  auditWords: {
    actions: {
      'inquiry.exported': text`Exported inquiries`,
      'admission.inquiry.changed': text`Changed the inquiry`,
      'admission.inquiry.assigned': text`Assigned the inquiry`,
      'admission.inquiry.followed-up': text`Logged a follow-up`,
      'admission.inquiry.lost': text`Marked as lost`,
      'admission.inquiry.reopened': text`Reopened`,
      'admission.link.copied': text`Copied the form’s link`,
    },
    records: {
      inquiry: { kind: text`Inquiry list`, findNames: async () => [] },
    },
  },
});
