import { linkParameter } from '#kit/contract/endpoint.ts';
import { text } from '#kit/contract/text.ts';
import { serverFeature } from '#kit/server/feature.ts';
import { readScriptDigits } from './aadhaar.ts';
import additionalInfo from './additional-info.ts';
import { auditWords } from './audit-words.ts';
import basicInfo from './basic-info.ts';
import career from './career.ts';
import consent from './consent.ts';
import correction from './correction.ts';
import document from './document.ts';
import draft from './draft.ts';
import education from './education.ts';
import health from './health.ts';
import inquiry from './inquiry.ts';
import language from './language.ts';
import { findLinkHolder } from './link.ts';
import message from './message.ts';
import { messages, textMessages } from './messages.ts';
import pageLanguage from './page-language.ts';
import parentInfo from './parent-info.ts';
import print from './print.ts';
import { sealedColumns } from './sealed.ts';
import { asksConsent, linkDays } from './settings.ts';
import { findShortLink } from './short-link.ts';
import sibling from './sibling.ts';
import { forgetCodes } from './sibling-details.ts';

export const admissionForm = serverFeature({
  series: [{ code: 'inquiry', words: text`Inquiries` }],
  routes: [
    ...inquiry,
    ...basicInfo,
    ...parentInfo,
    ...career,
    ...sibling,
    ...education,
    ...health,
    ...additionalInfo,
    ...language,
    ...correction,
    ...document,
    ...draft,
    ...consent,
    ...message,
    ...print,
    ...pageLanguage,
  ],
  linkHolders: { [linkParameter]: findLinkHolder },
  findShortLink,
  settings: [linkDays, asksConsent],
  messages,
  textMessages,
  corrections: [readScriptDigits],
  sealed: sealedColumns,
  tidyUp: forgetCodes,
  seed: () => import('../seed.ts'),
  auditArea: text`Admission`,
  auditWords,
});
