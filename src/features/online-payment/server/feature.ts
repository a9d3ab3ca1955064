import { text } from '#kit/contract/text.ts';
import { serverFeature } from '#kit/server/feature.ts';
import { onlinePaymentPages } from '../contract/pages.ts';
import { auditWords } from './audit-words.ts';
import { payPart, payRoutes } from './family-part.ts';
import { homePaymentRoutes } from './home-payment.ts';
import { mergeHomePayments, mergePayers, onlinePaymentMerges } from './merge.ts';
import { believeFamilies } from './says-paid.ts';
import { changedUpiTodo, homePaymentTodo } from './todo.ts';

export const onlinePayment = serverFeature({
  pages: onlinePaymentPages,
  routes: [...payRoutes, ...homePaymentRoutes],
  familyParts: [payPart],
  todos: [homePaymentTodo, changedUpiTodo],
  answers: [believeFamilies, mergeHomePayments, mergePayers],
  merges: onlinePaymentMerges,
  seed: () => import('../seed.ts'),
  auditArea: text`Fees`,
  auditWords,
});
