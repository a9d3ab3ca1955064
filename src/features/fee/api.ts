export { familyDues } from './server/money/doors.ts';
export { makePlan, oneTimeForNew, planOf, previewPlan } from './server/prices/doors.ts';
export { setMonthCharges } from './server/prices/month-charges.ts';
