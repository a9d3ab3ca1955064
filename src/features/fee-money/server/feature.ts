import { text } from '#kit/contract/text.ts';
import { serverFeature } from '#kit/server/feature.ts';
import { correctionMessages } from '../contract/correction.ts';
import { moveMessages } from '../contract/move.ts';
import { openingMessages } from '../contract/opening.ts';
import { feeMoneyPages } from '../contract/pages.ts';
import account from './account.ts';
import { accountListRoutes } from './account-list.ts';
import { advanceRoutes } from './advance.ts';
import { auditWords } from './audit-words.ts';
import { bounceMessages, bounceTexts } from './bounce-message.ts';
import { cancelApproval } from './cancel-approval.ts';
import { cancelMessages, cancelTexts } from './cancel-message.ts';
import { collectionCard } from './card.ts';
import { dayRoutes } from './cashier-day.ts';
import { chequeRoutes } from './cheque.ts';
import { chequeSeriesRoutes } from './cheque-series.ts';
import { correctionRoutes } from './correction.ts';
import { correctionApproval, refundApproval } from './correction-approval.ts';
import counter from './counter.ts';
import { bouncedChange } from './day-changes.ts';
import {
  collectedFigure,
  drawerFigure,
  moneyChart,
  nextDueFigure,
  overdueChart,
  overdueFigure,
} from './day-figures.ts';
import { finesRunning, owedOnLeaving, settledOnLeaving } from './doors.ts';
import { dailyDue, dueMessages, dueTexts } from './due-message.ts';
import { hasEnded } from './end-payment.ts';
import { changeFees, settleRelief } from './enrolment-change.ts';
import { receiptEvents } from './events.ts';
import { duesPart } from './family-part.ts';
import { feeCertificateRoutes, findFeeCertificate } from './fee-certificate.ts';
import { followUpRoutes } from './follow-up.ts';
import { countPayments, feeMoneyMerges, mergeMoney } from './merge.ts';
import { moveRoutes } from './move.ts';
import { openingRoutes } from './opening.ts';
import { openingApproval } from './opening-batch.ts';
import { findFeeWarnings, nightlyProof } from './proof.ts';
import { receiptMessages, receiptTexts } from './receipt-message.ts';
import { refundRoutes } from './refund.ts';
import { reissueApproval } from './reissue-approval.ts';
import { feeMessages, feeTexts, remindRuns } from './remind.ts';
import { reportRoutes } from './report.ts';
import { receiptSearch } from './search.ts';
import { messageStep } from './set-up.ts';
import { feeMoneySettings } from './settings.ts';
import { depositTodo, openShiftTodo, payOutTodo } from './todo.ts';
import { unplacedRoutes, unplacedTodo } from './unplaced.ts';
import { feeMoneyYearEnd } from './year-end.ts';

export const feeMoney = serverFeature({
  pages: feeMoneyPages,
  routes: [
    ...counter,
    ...accountListRoutes,
    ...account,
    ...dayRoutes,
    ...chequeRoutes,
    ...chequeSeriesRoutes,
    ...correctionRoutes,
    ...refundRoutes,
    ...moveRoutes,
    ...unplacedRoutes,
    ...reportRoutes,
    ...advanceRoutes,
    ...openingRoutes,
    ...followUpRoutes,
    ...feeCertificateRoutes,
  ],
  settings: feeMoneySettings,
  setUp: [messageStep],
  approvals: [cancelApproval, correctionApproval, refundApproval, openingApproval, reissueApproval],
  runs: remindRuns,
  messages: { ...feeMessages, ...receiptMessages, ...cancelMessages, ...bounceMessages, ...dueMessages },
  textMessages: { ...feeTexts, ...receiptTexts, ...cancelTexts, ...bounceTexts, ...dueTexts },
  daily: [nightlyProof, dailyDue],
  findWarnings: findFeeWarnings,
  answers: [changeFees, settleRelief, owedOnLeaving, settledOnLeaving, finesRunning, mergeMoney, countPayments],
  cards: [collectionCard],
  dayChanges: [bouncedChange],
  dayFigures: [collectedFigure, drawerFigure, overdueFigure, nextDueFigure],
  charts: [moneyChart, overdueChart],
  todos: [openShiftTodo, depositTodo, payOutTodo, unplacedTodo],
  series: [
    { code: 'fee-refund', words: text`Refund vouchers`, hasBranches: true },
    { code: 'fee-certificate', words: text`Certificates of fees paid`, hasBranches: true },
  ],
  proofs: [findFeeCertificate],
  familyParts: [duesPart],
  searches: [receiptSearch],
  events: [receiptEvents],
  constraintMessages: {
    fee_opening_complete: openingMessages.complete,
    fee_advance_held: correctionMessages.noAdvance,
    fee_reissue_once: moveMessages.waits,
    fee_payment_ended: hasEnded,
    fee_receipt_financial_year: text`Receipts are numbered by the financial year, so its first month can’t change.`,
  },
  seed: () => import('../seed.ts'),
  yearEnd: feeMoneyYearEnd,
  auditArea: text`Fees`,
  auditWords,
  merges: feeMoneyMerges,
});
