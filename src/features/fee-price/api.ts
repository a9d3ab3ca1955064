export { renewFamilies } from './server/discount/suggest.ts';
export { addSuggestions, type SuggestedDiscount, suggestedFor } from './server/discount/suggested.ts';
export { type MoneyEntry, postEntries } from './server/ledger/post-entries.ts';
export { lockAccounts } from './server/plan/children.ts';
export { makePlan, oneTimeForNew, previewPlan } from './server/plan/doors.ts';
export { changePlans, type KeptPlan, lockAccountsOf } from './server/plan/enrolment-change.ts';
export { setMonthCharges } from './server/plan/month-charges.ts';
export type { PricedPlace } from './server/plan/read-prices.ts';
