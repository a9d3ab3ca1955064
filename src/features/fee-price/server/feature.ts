import { text } from '#kit/contract/text.ts';
import { serverFeature } from '#kit/server/feature.ts';
import { concessionMessages } from '../contract/concession.ts';
import { discountMessages } from '../contract/discount.ts';
import { feeMasters } from '../contract/masters.ts';
import { feePricePages } from '../contract/pages.ts';
import { reliefMessages } from '../contract/relief.ts';
import { structureMessages } from '../contract/structure.ts';
import { auditWords } from './audit-words.ts';
import { answerCalendar } from './calendar-answer.ts';
import { findDeciderWarnings } from './control/decider-warning.ts';
import { guardMasters } from './control/guarded-masters.ts';
import { holdSettings, listHeldSettings } from './control/guarded-settings.ts';
import { proposalRoutes } from './control/proposal.ts';
import { reliefApproval } from './control/relief-approval.ts';
import { termsApproval } from './control/terms-approval.ts';
import concession, { concessionListRoutes } from './discount/concession.ts';
import { concessionApproval } from './discount/concession-approval.ts';
import discount from './discount/discount.ts';
import { renewSuggestions } from './discount/suggest.ts';
import { feePriceMerges, suggestForFamily } from './merge.ts';
import { feeCard, planCard } from './plan/cards.ts';
import { planListRoutes } from './plan/plan-list.ts';
import { planRoutes, planRuns } from './plan/plan-routes.ts';
import { feePriceSettings } from './settings.ts';
import { copiedStructures } from './structure/copy-structures.ts';
import fineRule from './structure/fine-rule.ts';
import frequency from './structure/frequency.ts';
import priceGrid from './structure/price-grid.ts';
import structure from './structure/publish-many.ts';
import { structureListRoutes } from './structure/structure.ts';
import { structureApproval } from './structure/structure-approval.ts';
import tryOut from './structure/try-out.ts';
import { feePriceYearEnd } from './year-end.ts';

export const feePrice = serverFeature({
  pages: feePricePages,
  routes: [
    ...frequency,
    ...fineRule,
    ...proposalRoutes,
    ...discount,
    ...tryOut,
    ...concessionListRoutes,
    ...concession,
    ...structureListRoutes,
    ...priceGrid,
    ...structure,
    ...planListRoutes,
    ...planRoutes,
  ],
  findWarnings: findDeciderWarnings,
  masters: feeMasters,
  masterGuard: guardMasters,
  answers: [answerCalendar, holdSettings, listHeldSettings, suggestForFamily],
  settings: feePriceSettings,
  approvals: [structureApproval, concessionApproval, termsApproval, reliefApproval],
  runs: planRuns,
  daily: [{ name: 'fee-suggestions', from: 5, until: 22, act: renewSuggestions }],
  rollOver: [copiedStructures],
  cards: [planCard],
  recordCards: [feeCard],
  constraintMessages: {
    fee_concession_kept: concessionMessages.kept,
    fee_lowered_alone: reliefMessages.alone,
    fee_discount_in_use: discountMessages.inUse,
    fee_structure_grade_published: structureMessages.taken,
    fee_structure_published: structureMessages.published,
  },
  seed: () => import('../seed.ts'),
  yearEnd: feePriceYearEnd,
  auditArea: text`Fees`,
  auditWords,
  merges: feePriceMerges,
});
