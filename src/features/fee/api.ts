export { duesOf, makePlan, oneTimeForNew, planOf, previewPlan } from './server/prices/doors.ts';
