import { text } from '#kit/contract/text.ts';
import { serverFeature } from '#kit/server/feature.ts';
import { admissionPages } from '../contract/pages.ts';
import { processMessages } from '../contract/process.ts';
import { seatMessages } from '../contract/seat.ts';
import { accountRoutes } from './account/account.ts';
import { accountRuns } from './account/create-many.ts';
import { accountListRoutes } from './account/list.ts';
import { admissionCard } from './account/record-card.ts';
import { auditWords } from './audit-words.ts';
import { copiedSeats } from './copied-seats.ts';
import { accountCard, inquiryCard, processCard, reviewCard } from './dashboard-card.ts';
import { admissionEvents } from './events.ts';
import { dailyExpiry, expireOne } from './expiry.ts';
import exported from './export.ts';
import { waiverApproval } from './fee-waiver.ts';
import { freeSeats } from './freed-seat.ts';
import { importRoutes } from './import.ts';
import { inquiryRoutes } from './inquiry.ts';
import letter from './letter.ts';
import { inquiryListRoutes } from './list.ts';
import { messages, textMessages } from './messages.ts';
import { newsRoutes } from './news.ts';
import { inquirySubject } from './notice-subject.ts';
import { dailyOfferReminders, offerReminderRuns } from './offer-reminder.ts';
import { offerSeatAgain } from './payment.ts';
import process from './process.ts';
import { processListRoutes } from './process-list.ts';
import { releaseOne } from './release-one.ts';
import { correctionRuns } from './remind-correction.ts';
import { reviewRoutes } from './review.ts';
import { reviewListRoutes } from './review-list.ts';
import { applicantSearch, inquirySearch } from './search.ts';
import seat from './seat.ts';
import { dailyReminders, inquiryRuns } from './send-many.ts';
import { admissionSettings } from './settings.ts';
import { siblingRoutes } from './sibling.ts';
import slot from './slot.ts';
import { meetingRuns } from './tell-families.ts';
import { admissionTodos } from './todo.ts';
import waitingList from './waiting-list.ts';

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
    ...seat,
    ...processListRoutes,
    ...process,
    ...slot,
    ...letter,
    ...exported,
    ...waitingList,
    ...newsRoutes,
  ],
  settings: admissionSettings,
  searches: [inquirySearch, applicantSearch],
  runs: {
    ...inquiryRuns,
    ...correctionRuns,
    ...accountRuns,
    ...meetingRuns,
    ...offerReminderRuns,
    'admission.release': releaseOne,
    'admission.expire': expireOne,
  },
  daily: [dailyReminders, dailyExpiry, dailyOfferReminders],
  messages,
  textMessages,
  answers: [freeSeats, offerSeatAgain],
  approvals: [waiverApproval],
  series: [{ code: 'admission-fee', words: text`Admission fees` }],
  constraintMessages: {
    admission_inquiry_seat: seatMessages.place,
    admission_inquiry_seat_quota: seatMessages.place,
    admission_seat_not_oversold: processMessages.full,
  },
  todos: admissionTodos,
  events: [admissionEvents],
  noticeSubjects: [inquirySubject],
  cards: [inquiryCard, reviewCard, processCard, accountCard],
  rollOver: [copiedSeats],
  recordCards: [admissionCard],
  seed: () => import('../seed.ts'),
  auditArea: text`Admission`,
  auditWords,
});
