export { adoptAccount, payFromAdmission, recordAdmissionFee } from './server/admission-fee.ts';
export { bouncePayment, cancelPayment } from './server/cancel-payment.ts';
export { lockDay } from './server/day.ts';
