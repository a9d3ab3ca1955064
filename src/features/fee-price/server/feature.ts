import { correctionMessages } from '#features/fee-money/contract/correction.ts';
import account from '#features/fee-money/server/account.ts';
import { accountListRoutes } from '#features/fee-money/server/account-list.ts';
import { advanceRoutes } from '#features/fee-money/server/advance.ts';
import { cancelApproval } from '#features/fee-money/server/cancel-approval.ts';
import { collectionCard } from '#features/fee-money/server/card.ts';
import { dayRoutes } from '#features/fee-money/server/cashier-day.ts';
import { chequeRoutes } from '#features/fee-money/server/cheque.ts';
import { correctionRoutes } from '#features/fee-money/server/correction.ts';
import { correctionApproval, refundApproval } from '#features/fee-money/server/correction-approval.ts';
import counter from '#features/fee-money/server/counter.ts';
import { owedOnLeaving } from '#features/fee-money/server/doors.ts';
import { changeFees } from '#features/fee-money/server/enrolment-change.ts';
import { receiptEvents } from '#features/fee-money/server/events.ts';
import { followUpRoutes } from '#features/fee-money/server/follow-up.ts';
import { openingRoutes } from '#features/fee-money/server/opening.ts';
import { findFeeWarnings, nightlyProof } from '#features/fee-money/server/proof.ts';
import { receiptMessages, receiptTexts } from '#features/fee-money/server/receipt-message.ts';
import { refundRoutes } from '#features/fee-money/server/refund.ts';
import { feeMessages, feeTexts, remindRuns } from '#features/fee-money/server/remind.ts';
import { reportRoutes } from '#features/fee-money/server/report.ts';
import { receiptSearch } from '#features/fee-money/server/search.ts';
import { text } from '#kit/contract/text.ts';
import { serverFeature } from '#kit/server/feature.ts';
import { concessionMessages } from '../contract/concession.ts';
import { discountMessages } from '../contract/discount.ts';
import { feeMasters } from '../contract/masters.ts';
import { feePages } from '../contract/pages.ts';
import { structureMessages } from '../contract/structure.ts';
import { auditWords } from './audit-words.ts';
import concession, { concessionListRoutes } from './discount/concession.ts';
import { concessionApproval } from './discount/concession-approval.ts';
import discount from './discount/discount.ts';
import { renewSuggestions } from './discount/suggest.ts';
import { feeCard, planCard } from './plan/cards.ts';
import { planListRoutes } from './plan/plan-list.ts';
import { planRoutes, planRuns } from './plan/plan-routes.ts';
import { feePriceSettings } from './settings.ts';
import { copiedStructures } from './structure/copy-structures.ts';
import fineRule from './structure/fine-rule.ts';
import frequency from './structure/frequency.ts';
import structure, { structureListRoutes } from './structure/structure.ts';
import { structureApproval } from './structure/structure-approval.ts';
import tryOut from './structure/try-out.ts';

export const fee = serverFeature({
  pages: feePages,
  routes: [
    ...frequency,
    ...fineRule,
    ...discount,
    ...tryOut,
    ...concessionListRoutes,
    ...concession,
    ...structureListRoutes,
    ...structure,
    ...planListRoutes,
    ...planRoutes,
    ...counter,
    ...accountListRoutes,
    ...account,
    ...dayRoutes,
    ...chequeRoutes,
    ...correctionRoutes,
    ...refundRoutes,
    ...reportRoutes,
    ...advanceRoutes,
    ...openingRoutes,
    ...followUpRoutes,
  ],
  masters: feeMasters,
  settings: feePriceSettings,
  approvals: [structureApproval, concessionApproval, cancelApproval, correctionApproval, refundApproval],
  runs: { ...planRuns, ...remindRuns },
  messages: { ...feeMessages, ...receiptMessages },
  textMessages: { ...feeTexts, ...receiptTexts },
  daily: [{ name: 'fee-suggestions', from: 5, until: 22, act: renewSuggestions }, nightlyProof],
  findWarnings: findFeeWarnings,
  answers: [changeFees, owedOnLeaving],
  rollOver: [copiedStructures],
  cards: [collectionCard, planCard],
  recordCards: [feeCard],
  series: [{ code: 'fee-refund', words: text`Refund vouchers`, hasBranches: true }],
  searches: [receiptSearch],
  events: [receiptEvents],
  constraintMessages: {
    fee_advance_held: correctionMessages.noAdvance,
    fee_concession_kept: concessionMessages.kept,
    fee_discount_in_use: discountMessages.inUse,
    fee_structure_grade_published: structureMessages.taken,
    fee_structure_published: structureMessages.published,
  },
  seed: () => import('../seed.ts'),
  auditWords,
});
