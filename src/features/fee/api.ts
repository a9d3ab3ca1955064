export { adoptAccount, payFromAdmission, recordAdmissionFee } from './server/money/admission-fee.ts';
export { bouncePayment, cancelPayment } from './server/money/cancel-payment.ts';
export { lockDay } from './server/money/day.ts';
export { familyDues } from './server/money/doors.ts';
export { makePlan, previewPlan } from './server/prices/doors.ts';
export { setMonthCharges } from './server/prices/month-charges.ts';
export { addSuggestions, type SuggestedDiscount, suggestedFor } from './server/prices/suggested.ts';
