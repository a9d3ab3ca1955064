import { text } from '#kit/contract/text.ts';
import { serverFeature } from '#kit/server/feature.ts';
import { concessionMessages } from '../contract/concession.ts';
import { discountMessages } from '../contract/discount.ts';
import { feeMasters } from '../contract/masters.ts';
import { correctionMessages } from '../contract/money/correction.ts';
import { feePages } from '../contract/pages.ts';
import { structureMessages } from '../contract/structure.ts';
import { auditWords } from './audit-words.ts';
import concession, { concessionListRoutes } from './concession.ts';
import { concessionApproval } from './concession-approval.ts';
import { copiedStructures } from './copy-structures.ts';
import discount from './discount.ts';
import { receiptEvents } from './events.ts';
import fineRule from './fine-rule.ts';
import frequency from './frequency.ts';
import account from './money/account.ts';
import { accountListRoutes } from './money/account-list.ts';
import { advanceRoutes } from './money/advance.ts';
import { cancelApproval } from './money/cancel-approval.ts';
import { collectionCard } from './money/card.ts';
import { dayRoutes } from './money/cashier-day.ts';
import { chequeRoutes } from './money/cheque.ts';
import { correctionRoutes } from './money/correction.ts';
import { correctionApproval, refundApproval } from './money/correction-approval.ts';
import counter from './money/counter.ts';
import { owedOnLeaving } from './money/doors.ts';
import { followUpRoutes } from './money/follow-up.ts';
import { openingRoutes } from './money/opening.ts';
import { findFeeWarnings, nightlyProof } from './money/proof.ts';
import { receiptMessages, receiptTexts } from './money/receipt-message.ts';
import { refundRoutes } from './money/refund.ts';
import { feeMessages, feeTexts, remindRuns } from './money/remind.ts';
import { reportRoutes } from './money/report.ts';
import { receiptSearch } from './money/search.ts';
import { feeCard, planCard } from './prices/cards.ts';
import { changePlans } from './prices/enrolment-change.ts';
import { planListRoutes } from './prices/plan-list.ts';
import { planRoutes, planRuns } from './prices/plan-routes.ts';
import { feeSettings } from './settings.ts';
import structure, { structureListRoutes } from './structure.ts';
import { structureApproval } from './structure-approval.ts';
import { renewSuggestions } from './suggest.ts';
import tryOut from './try-out.ts';

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
  settings: feeSettings,
  approvals: [structureApproval, concessionApproval, cancelApproval, correctionApproval, refundApproval],
  runs: { ...planRuns, ...remindRuns },
  messages: { ...feeMessages, ...receiptMessages },
  textMessages: { ...feeTexts, ...receiptTexts },
  daily: [{ name: 'fee-suggestions', from: 5, until: 22, act: renewSuggestions }, nightlyProof],
  findWarnings: findFeeWarnings,
  answers: [changePlans, owedOnLeaving],
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
  auditArea: text`Fees`,
  auditWords,
});
