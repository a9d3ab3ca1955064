import { text } from '#kit/contract/text.ts';
import { serverFeature } from '#kit/server/feature.ts';
import { admissionPages } from '../contract/pages.ts';
import { processMessages } from '../contract/process.ts';
import { seatMessages } from '../contract/seat.ts';
import { accountRoutes } from './account/account.ts';
import { accountRuns } from './account/create-many.ts';
import { accountListRoutes } from './account/list.ts';
import { admissionMerges, mergeApplications } from './account/merge.ts';
import { admissionCard } from './account/record-card.ts';
import { auditWords } from './audit-words.ts';
import { answerCalendar } from './calendar-answer.ts';
import { accountCard, inquiryCard, processCard, reviewCard } from './dashboard-card.ts';
import { admissionsChart, inquiriesFigure } from './day-figures.ts';
import { dailyExpiry, expireOne } from './decision/expiry.ts';
import exported from './decision/export.ts';
import { waiverApproval } from './decision/fee-waiver.ts';
import { newsRoutes } from './decision/news.ts';
import { dailyOfferReminders, offerReminderRuns } from './decision/offer-reminder.ts';
import { offerSeatAgain } from './decision/payment.ts';
import process from './decision/process.ts';
import { processListRoutes } from './decision/process-list.ts';
import { releaseOne } from './decision/release-one.ts';
import waitingList from './decision/waiting-list.ts';
import { admissionEvents } from './events.ts';
import { importRoutes } from './inquiry/import.ts';
import { inquiryRoutes } from './inquiry/inquiry.ts';
import { inquiryListRoutes } from './inquiry/list.ts';
import { dailyReminders, inquiryRuns } from './inquiry/send-many.ts';
import { siblingRoutes } from './inquiry/sibling.ts';
import { chooseTimeRoutes } from './interaction/choose-time.ts';
import slot from './interaction/slot.ts';
import { meetingRuns } from './interaction/tell-families.ts';
import timeChoice from './interaction/time-choice.ts';
import letter from './letter/letter.ts';
import { messages, textMessages } from './messages.ts';
import { inquirySubject } from './notice-subject.ts';
import { correctionRuns } from './review/remind-correction.ts';
import { reviewRoutes } from './review/review.ts';
import { reviewListRoutes } from './review/review-list.ts';
import { applicantSearch, inquirySearch } from './search.ts';
import { copiedSeats } from './seat/copied-seats.ts';
import { freeSeats } from './seat/freed-seat.ts';
import seat from './seat/seat.ts';
import { admissionYearEnd } from './seat/year-end.ts';
import { admissionSettings } from './settings.ts';
import { admissionTodos } from './todo.ts';

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
    ...timeChoice,
    ...chooseTimeRoutes,
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
  answers: [answerCalendar, freeSeats, offerSeatAgain, mergeApplications],
  approvals: [waiverApproval],
  series: [{ code: 'admission-fee', words: text`Admission fees` }],
  constraintMessages: {
    admission_inquiry_seat: seatMessages.place,
    admission_inquiry_seat_quota: seatMessages.place,
    admission_seat_not_oversold: processMessages.full,
  },
  todos: admissionTodos,
  yearEnd: admissionYearEnd,
  events: [admissionEvents],
  noticeSubjects: [inquirySubject],
  cards: [inquiryCard, reviewCard, processCard, accountCard],
  dayFigures: [inquiriesFigure],
  charts: [admissionsChart],
  rollOver: [copiedSeats],
  recordCards: [admissionCard],
  seed: () => import('../seed.ts'),
  auditArea: text`Admission`,
  auditWords,
  merges: admissionMerges,
});
