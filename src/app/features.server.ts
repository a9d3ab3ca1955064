import { academic } from '#features/academic/server/feature.ts';
import { account } from '#features/account/server/feature.ts';
import { admission } from '#features/admission/server/feature.ts';
import { admissionForm } from '#features/admission-form/server/feature.ts';
import { announcement } from '#features/announcement/server/feature.ts';
import { approval } from '#features/approval/server/feature.ts';
import { attendance } from '#features/attendance/server/feature.ts';
import { auditLog } from '#features/audit/server.ts';
import { bank } from '#features/bank/server/feature.ts';
import { calendar } from '#features/calendar/server/feature.ts';
import { cover } from '#features/cover/server/feature.ts';
import { family } from '#features/family/server/feature.ts';
import { feeMoney } from '#features/fee-money/server/feature.ts';
import { feePrice } from '#features/fee-price/server/feature.ts';
import { guide } from '#features/guide/server/feature.ts';
import { homework } from '#features/homework/server/feature.ts';
import { hris } from '#features/hris/server/feature.ts';
import { meeting } from '#features/meeting/server/feature.ts';
import { notification } from '#features/notification/server.ts';
import { observation } from '#features/observation/server/feature.ts';
import { onlinePayment } from '#features/online-payment/server/feature.ts';
import { report } from '#features/report/server/feature.ts';
import { run } from '#features/run/server.ts';
import { school } from '#features/school/server/feature.ts';
import { setUpFeature } from '#features/set-up/server/set-up.ts';
import { signIn } from '#features/sign-in/server/feature.ts';
import { skill } from '#features/skill/server/feature.ts';
import { staff } from '#features/staff/server/feature.ts';
import { student } from '#features/student/server/feature.ts';
import { subject } from '#features/subject/server/feature.ts';
import { system } from '#features/system/server/feature.ts';
import { tag } from '#features/tag/server/feature.ts';
import { teaching } from '#features/teaching/server/feature.ts';
import { ticket } from '#features/ticket/server/feature.ts';
import { transport } from '#features/transport/server/feature.ts';
import { workday } from '#features/workday/server/feature.ts';
import { yearEnd } from '#features/year-end/server/feature.ts';
import { text } from '#kit/contract/text.ts';
import type { ServerFeature } from '#kit/server/feature.ts';
import { inArea, joinAuditWords } from '#kit/server/security/audit-words.ts';
import { settingAuditWords } from '#kit/server/settings.ts';
import { systemAuditWords } from './audit-words.ts';

/** Every feature of the product. The demo is made in this order, since a part may need rows of earlier ones. */
export const features: readonly ServerFeature[] = [
  account,
  school,
  hris,
  calendar,
  academic,
  student,
  subject,
  teaching,
  tag,
  skill,
  approval,
  feePrice,
  feeMoney,
  bank,
  admissionForm,
  admission,
  signIn,
  transport,
  staff,
  workday,
  cover,
  attendance,
  family,
  onlinePayment,
  ticket,
  report,
  homework,
  observation,
  announcement,
  meeting,
  yearEnd,
  setUpFeature,
  auditLog,
  run,
  system,
  guide,
  notification,
];

export const allMasters = features.flatMap(({ masters }) => masters);
/** Every setting, in the order of the features. */
export const allSettings = features.flatMap(({ settings }) => settings);
/** What every feature keeps for each year. */
export const allRollOver = features.flatMap(({ rollOver }) => rollOver);
/** What of every feature a year still has open when it ends. */
export const allYearEnd = features.flatMap(({ yearEnd }) => yearEnd);
/** The features' answers to each other's hooks. */
export const allAnswers = features.flatMap(({ answers }) => answers);
/** Every kind of request that a second person decides. */
export const allApprovals = features.flatMap(({ approvals }) => approvals);
/** Every card on records, of all features. */
export const allNoticeSubjects = features.flatMap(({ noticeSubjects }) => noticeSubjects);
export const allRecordCards = features.flatMap(({ recordCards }) => recordCards);
/** What the timelines of people are merged from, of all features. */
export const allEvents = features.flatMap(({ events }) => events);
/** The conditions behind filters of other features' lists. */
export const allListConditions = features.flatMap(({ listConditions }) => listConditions);
/** Every encrypted column of the features. */
export const allSealed = features.flatMap(({ sealed }) => sealed);
/** Every number series. */
export const allSeries = features.flatMap(({ series }) => series);
/** Every message, by the name of its template. */
export const allMessages = Object.assign({}, ...features.map(({ messages }) => messages)) as ServerFeature['messages'];
/** Every kind of text message, by the name of its template. */
export const allTextMessages = Object.assign(
  {},
  ...features.map(({ textMessages }) => textMessages),
) as ServerFeature['textMessages'];
/** The links that open records, by the names of their values in the query. */
export const allLinkHolders = Object.assign(
  {},
  ...features.map(({ linkHolders }) => linkHolders),
) as ServerFeature['linkHolders'];
/** Where short links lead. */
export const allShortLinks = features.flatMap(({ findShortLink }) => findShortLink ?? []);
/** What the page of a family's link shows. */
export const allFamilyParts = features.flatMap(({ familyParts }) => familyParts);
/** Every kind of certificate. */
export const allCertificates = features.flatMap(({ certificates }) => certificates);
/** What the codes on papers prove. */
export const allProofs = features.flatMap(({ proofs }) => proofs);
/** The records that carry tags. */
export const allTagged = features.flatMap(({ tagged }) => tagged);
/** What hangs on records of people. */
export const allMerges = features.flatMap(({ merges }) => merges);
/** Acts on many records, by the kind of run. */
export const allRuns = Object.assign({}, ...features.map(({ runs }) => runs)) as ServerFeature['runs'];
/** Messages for constraints that acts of several features can break, by constraint name. */
export const allConstraintMessages = Object.assign(
  {},
  ...features.map(({ constraintMessages }) => constraintMessages),
) as ServerFeature['constraintMessages'];
/** The audit log's words for every act of the product. */
export const allAuditWords = joinAuditWords([
  ...features.map(({ auditWords }) => auditWords),
  inArea(text`School`, settingAuditWords(allSettings)),
  inArea(text`System`, systemAuditWords),
]);
