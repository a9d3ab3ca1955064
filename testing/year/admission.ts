import { randomUUID } from 'node:crypto';
import { accountApi, newAdult } from '#features/admission/contract/account.ts';
import { inquiryApi } from '#features/admission/contract/inquiry.ts';
import { processApi } from '#features/admission/contract/process.ts';
import { answerSections } from '#features/admission/contract/review.ts';
import { seatApi } from '#features/admission/contract/seat.ts';
import { noticeVersions } from '#features/admission-form/contract/consent.ts';
import type { InquiryState } from '#features/admission-form/contract/state.ts';
import { addDays } from '#kit/server/day.ts';
import type { Random } from '#kit/server/random.ts';
import { openFamily } from '../school.ts';
import { type Act, ask, confirm, type Done, insist, last, post, said } from './acting.ts';
import { drawRow } from './money.ts';
import type { YearSchool } from './school.ts';

/** Plans seats in the next year for the two lowest grades. */
export async function planSeats({ people, prices, years, grades }: YearSchool): Promise<void> {
  const { branchId, programId } = prices.place;
  const { status, json } = await post(people.head, seatApi.createMany.path, {
    ...{ academicYearId: years.next.id, branchId, programId, quota: 'General', gradeIds: grades.slice(0, 2) },
    ...{
      total: 60,
      reserved: 0,
      interaction: 'None',
      admissionFee: '15,000',
      offerDays: 30,
      opensOn: '',
      closesOn: '',
    },
  });
  if (status !== 200) throw new Error(`No seats were planned: ${JSON.stringify(json)}`);
}

const nameOf = () => `Child${randomUUID().replaceAll(/[^a-z]/g, '')}`;
let phones = 7_200_000_000;
/** Birth dates are compared with the day of the machine, and not with that of the school. */
const childrenBorn = '2019-06-01';

/** The admission head writes down a call about the next year, and accepts the age. */
const inquire: Act['act'] = async ({ school, people, prices, years, grades }, random) => {
  const [source] = await school.sql(`select min(id) as id from academic_lookup where kind = 'Lead source'`);
  const { branchId, programId } = prices.place;
  phones += 1;
  const sent = await post(people.head, inquiryApi.create.path, {
    ...{ firstName: nameOf(), lastName: 'Patel', gender: 'Female', birthDate: addDays(childrenBorn, random.upTo(300)) },
    ...{ academicYearId: years.next.id, branchId, programId, gradeId: grades[random.isOnceIn(4) ? 1 : 0] },
    ...{ fatherMobile: String(phones), motherMobile: '', fatherEmail: '', motherEmail: '' },
    ...{ fatherFirstName: 'Nikhil', fatherLastName: 'Patel', motherFirstName: 'Hetal', motherLastName: 'Patel' },
    ...{ leadSourceId: source?.id, quota: 'General', assignedToId: '', nextFollowUpOn: '', remark: '' },
    ...{ ageReason: 'Agreed with the parents', isAnotherChild: false, sendsForm: false },
  });
  return said(sent, []);
};

interface Inquiry {
  id: number;
  version: number;
  firstName: string;
  birthDate: string;
  mobile: string;
  state: InquiryState;
}

/** An inquiry of the next year in one of these states. */
const inquiryIn = (world: YearSchool, random: Random, states: readonly InquiryState[], more = '') =>
  drawRow<Inquiry>(
    world,
    random,
    `select id, version, first_name as "firstName", birth_date::text as "birthDate",
        father_mobile as mobile, state from admission_inquiry
      where academic_year_id = ${world.years.next.id} and state in ('${states.join("', '")}') ${more}`,
  );

/** The first refusal, or the last answer. */
const outcomeOf = (heard: readonly Done[]) => heard.find(({ status }) => status !== 200) ?? heard.at(-1);

/** The links that families have opened; the office copies none while a family corrects its form. */
const links = new Map<number, string>();

async function linkOf({ people }: YearSchool, inquiry: number): Promise<string> {
  const { json } = await post(people.office, `/inquiry/${inquiry}/link`, {});
  return String(json?.link ?? '').split('=')[1] ?? '';
}

/** A family fills its form and submits it, or corrects what the office asked for and submits it again. */
const fillForm: Act['act'] = async (world, random) => {
  const inquiry = await inquiryIn(world, random, ['New', 'Form sent', 'In progress', 'Correction requested']);
  if (!inquiry) return undefined;
  const value = links.get(inquiry.id) ?? (await linkOf(world, inquiry.id));
  if (!value) return undefined;
  links.set(inquiry.id, value);
  const heard: Done[] = [];
  const send: YearSchool['school']['send'] = async (sent) => {
    const answer = await insist(world.app, sent);
    heard.push(said(answer, []));
    return answer;
  };
  const family = openFamily({ sql: world.school.sql, send }, { id: inquiry.id, inquiryNo: '', value });
  if (inquiry.state === 'Correction requested') {
    await family.saveHealth({ dailyElectronicDevicesUsageTime: 'An hour' });
    await family.post('correction', {});
    return outcomeOf(heard);
  }
  const digits = `${inquiry.id}`.padStart(6, '0');
  const { firstName, birthDate, mobile } = inquiry;
  await family.post('consent', {
    ...{ noticeVersion: noticeVersions.en, language: 'en', consentName: 'Nikhil Patel', consentRelation: 'Father' },
    ...{ isParentOrGuardian: true, isAgreed: true },
  });
  await family.saveBasicInfo({ firstName, birthDate, aadharCardNo: `123456${digits}`, studentUID: `24010${digits}` });
  await family.saveParentInfo({
    ...{ fatherMobileNo: mobile, motherMobileNo: String(Number(mobile) + 100_000_000) },
    ...{ fatherEmailID: `father${inquiry.id}@family.example`, motherEmailID: `mother${inquiry.id}@family.example` },
  });
  await family.saveHealth();
  await family.saveAdditionalInfo();
  for (const name of ['Birth Certificate', 'Aadhar Card']) await family.upload(name);
  await family.submit();
  return outcomeOf(heard);
};

/** The office reviews a form: one in four goes back to the family with a question, the others are verified. */
const review: Act['act'] = async (world, random) => {
  const inquiry = await inquiryIn(world, random, ['Submitted', 'Under review']);
  if (!inquiry) return undefined;
  const { office } = world.people;
  const at = (path: string, body: object) => post(office, `/review/${inquiry.id}/${path}`, body);
  const read = () => ask(office, { url: `/api/review/${inquiry.id}/record` });
  const heard = [await at('start', {})];
  const { answersVersion, documents, corrections } = (await read()).json;
  const isAsked = corrections.length === 0 && random.isOnceIn(4);
  for (const section of answerSections)
    heard.push(
      isAsked && section === 'Health'
        ? await at('remark', { answersVersion, section, field: '', remark: 'Please say which vaccine is missing.' })
        : await at('section', { answersVersion, section, confirmsAbsence: false }),
    );
  for (const { id } of documents)
    heard.push(await at(`document/${id}`, { answersVersion, result: 'Verified', isOriginalSeen: true, remark: '' }));
  const { version } = (await read()).json;
  heard.push(await at(isAsked ? 'correction' : 'verify', { version }));
  return said(last(heard), []);
};

const chosen = (id: number) => ({ ids: [id], isAll: false, query: {} });

/** The admission head offers a seat and releases the letter. */
const offer: Act['act'] = async (world, random) => {
  const inquiry = await inquiryIn(world, random, ['Verified', 'Waitlisted']);
  if (!inquiry) return undefined;
  const { head } = world.people;
  const selection = chosen(inquiry.id);
  const kind = random.isOnceIn(5) ? 'Waitlist' : 'Offer';
  const decided = await confirm(head, processApi.decide.path, {
    ...{ kind, seatQuota: '', conditions: '', offerUntil: '', reasonId: '', note: '', selection },
  });
  if (decided.status !== 200) return said(decided, []);
  return said(await confirm(head, processApi.release.path, { selection, day: '', hour: '' }), []);
};

/** The accountant takes the admission fee, which confirms the seat. */
const payFee: Act['act'] = async (world, random, day) => {
  const inquiry = await inquiryIn(world, random, ['Offered']);
  if (!inquiry) return undefined;
  const isCash = random.isOnceIn(2);
  const sent = await post(world.people.accountant, `/process/${inquiry.id}/payment`, {
    ...{ version: inquiry.version, mode: isCash ? 'Cash' : 'UPI', paidOn: day },
    reference: isCash ? '' : `FEE${randomUUID().slice(0, 8)}`,
  });
  return said(sent, []);
};

/** The office makes a student of a child whose seat is confirmed. */
const createAccount: Act['act'] = async (world, random) => {
  const inquiry = await inquiryIn(world, random, ['Seat confirmed']);
  if (!inquiry) return undefined;
  const { office } = world.people;
  const shown = await ask(office, { url: `/api/admission-account/${inquiry.id}/record` });
  if (shown.status !== 200) return said(shown, []);
  const { version, joinsOn, udiseUid, adults, sections } = shown.json;
  const parts = ['father', 'mother', 'guardian', 'contact1', 'contact2'];
  const likely = adults.flatMap((one: { part: string; likely: unknown[] }) =>
    one.likely.length > 0 ? [one.part] : [],
  );
  const free = sections.find((section: { free: number }) => section.free > 0);
  const sent = await confirm(office, accountApi.create.path.replace(':id', String(inquiry.id)), {
    ...{ version, joinsOn, udiseUid, sectionId: free?.id ?? null, houseId: null, middleName: '', gender: '' },
    ...{ isOneName: false, pen: '', apaar: '', returning: '', barred: '', restriction: '', withoutPlan: false },
    ...Object.fromEntries(parts.map((part) => [`${part}Is`, likely.includes(part) ? newAdult : ''])),
  });
  const student = sent.json?.student?.id;
  return said(sent, student ? [student] : []);
};

/** An inquiry ends, since the family found another school. */
const lose: Act['act'] = async (world, random, day) => {
  const inquiry = await inquiryIn(world, random, ['New', 'Form sent'], `and created_at < '${day}'`);
  const [reason] = await world.school.sql(`select min(id) as id from academic_lookup where kind = 'Reason lost'`);
  if (!inquiry) return undefined;
  const body = { version: inquiry.version, reasonId: reason?.id, note: '' };
  return said(await post(world.people.office, `/inquiry/${inquiry.id}/lose`, body), []);
};

/** An account for a child whose form nobody has read. */
const createEarly: Act['act'] = async (world, random) => {
  const inquiry = await inquiryIn(world, random, ['New', 'Submitted', 'Under review', 'Verified']);
  if (!inquiry) return undefined;
  const texts = ['udiseUid', 'middleName', 'gender', 'pen', 'apaar', 'returning', 'barred', 'restriction'].concat(
    ...['fatherIs', 'motherIs', 'guardianIs', 'contact1Is', 'contact2Is'],
  );
  const body = {
    ...Object.fromEntries(texts.map((name) => [name, ''])),
    ...{ version: inquiry.version, joinsOn: world.years.next.startsOn, sectionId: null, houseId: null },
    withoutPlan: true,
  };
  return said(await confirm(world.people.office, `/admission-account/${inquiry.id}`, body), []);
};

export const admissionActs: readonly Act[] = [
  { name: 'an inquiry', weight: 3, act: inquire },
  { name: 'a form filled', weight: 3, act: fillForm },
  { name: 'a form reviewed', weight: 3, act: review },
  { name: 'a decision on a seat', weight: 3, act: offer },
  { name: 'an admission fee paid', weight: 2, act: payFee },
  { name: 'an account of an admitted child', weight: 2, act: createAccount },
  { name: 'an inquiry lost', weight: 1, act: lose },
  { name: 'an account before the form is read', weight: 1, isWrong: true, act: createEarly },
];
