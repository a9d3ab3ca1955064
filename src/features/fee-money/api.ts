export { adoptAccount, payFromAdmission, recordAdmissionFee } from './server/admission-fee.ts';
export { bouncePayment, cancelPayment } from './server/cancel-payment.ts';
export { bounce as bounceCheque, selectedCheques } from './server/cheque.ts';
export { clearCheques, depositCheques } from './server/cheques-together.ts';
export { lockDay } from './server/day.ts';
export { readPayable } from './server/read-dues.ts';
export { takeInSeries } from './server/take-in-series.ts';
export { takeUnplaced } from './server/unplaced.ts';
export { newDays, payableByUpi } from './server/upi.ts';
