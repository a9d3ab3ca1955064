import { browserFeature, loadedTodoAct } from '#kit/browser/feature.ts';
import { callKeys } from '../contract/cards.ts';
import { admissionPages } from '../contract/pages.ts';

const outcomes = async () => (await import('./CallOutcomes.tsx')).CallOutcomes;

export const admission = browserFeature(
  admissionPages,
  {
    'admission/inquiry': () => import('./InquiryListPage.tsx'),
    'admission/inquiry/$inquiryID': () => import('./InquiryPage.tsx'),
    'admission/review-list': () => import('./ReviewListPage.tsx'),
    'admission/review-list/$inquiryID': () => import('./ReviewPage.tsx'),
    'admission/confirm-admission': () => import('./AccountListPage.tsx'),
    'admission/confirm-admission/$inquiryID': () => import('./AccountPage.tsx'),
    'admission/process-admission': () => import('./ProcessAdmissionPage.tsx'),
    'admission/process-admission/$inquiryID': () => import('./ProcessRecordPage.tsx'),
  },
  {
    todoActs: [loadedTodoAct('call-late', outcomes, callKeys), loadedTodoAct('call-today', outcomes, callKeys)],
  },
);
