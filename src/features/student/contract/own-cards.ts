import { studentReaders } from '#access/contract/grants.ts';
import type { RecordCard } from '#kit/contract/record-card.ts';
import { text } from '#kit/contract/text.ts';
import { addressReaders } from './address.ts';
import { studentCard } from './cards.ts';
import { healthCardReaders, healthReaders } from './health.ts';
import { leavingReaders } from './leaving.ts';
import { familyReaders, type StudentHead, studentRecord, timelineReaders } from './record.ts';
import { schoolingReaders } from './schooling.ts';

const { personal, identity } = studentRecord.groups;

/** The cards of this feature, whose components are on the page itself. */
export const ownCards = [
  studentCard('next', 'now', 9, text`Next`, studentReaders),
  studentCard('family', 'now', 10, text`Family`, familyReaders),
  studentCard('today', 'now', 11, text`School`, studentReaders),
  studentCard('personal', 'now', 12, text`Personal data`, personal.read),
  studentCard('address', 'now', 13, text`Address`, addressReaders),
  studentCard('tags', 'now', 50, text`Tags`, studentReaders),
  studentCard('enrollment', 'school', 10, text`Enrolment`, studentReaders),
  studentCard('schooling', 'school', 30, text`Previous schools`, schoolingReaders),
  studentCard('identity', 'papers', 10, text`Identity`, identity.read),
  studentCard('document', 'papers', 20, text`Documents`, timelineReaders),
  studentCard('leaving', 'school', 40, text`Leaving`, leavingReaders),
  studentCard('correction', 'school', 50, text`Register entries`, timelineReaders),
  studentCard('certificate', 'papers', 30, text`Certificates`, leavingReaders),
  studentCard('health', 'health', 10, text`Health`, healthCardReaders),
  studentCard('history', 'history', 10, text`History`, timelineReaders),
];

/** The answers themselves: in the report, each time with a reason. The record shows them on its card of health. */
export const healthAnswersCard: RecordCard<StudentHead> = {
  ...studentCard('health-answers', 'health', 20, text`Health`, healthReaders),
  isRestricted: true,
};
