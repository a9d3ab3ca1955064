import { openHealth, sendToParents, stateAfter } from '#features/admission-form/api.ts';
import { publishedAs } from '#features/admission-form/contract/state.ts';
import { lockYearForShare } from '#features/calendar/api.ts';
import { keepFormLanguage } from '#features/family/api.ts';
import { adoptAccount, payFromAdmission } from '#features/fee-money/api.ts';
import { addSuggestions, makePlan } from '#features/fee-price/api.ts';
import {
  addPapers,
  addStudents,
  findKnownChildren,
  keepNotSame,
  lockSections,
  type NewGuardian,
  type NewStudent,
  type Papers,
  readmitStudent,
  sectionsWithSeats,
} from '#features/student/api.ts';
import { type genders, genderWord } from '#features/student/contract/record.ts';
import { isAadhaar } from '#kit/contract/aadhaar.ts';
import { showDate } from '#kit/contract/day.ts';
import type { ParsedOf } from '#kit/contract/endpoint.ts';
import { AppError, type FieldErrors, notFoundMessage, problemMessage } from '#kit/contract/errors.ts';
import { isLanguage } from '#kit/contract/languages.ts';
import { showMoney } from '#kit/contract/money.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { localTimeZone, toLocalDate } from '#kit/server/day.ts';
import { changedMessage } from '#kit/server/preview.ts';
import { notFound } from '#kit/server/record/version.ts';
import { readSetting } from '#kit/server/settings.ts';
import { type accountApi, chooseAdult, newAdult, sectionFull } from '../../contract/account.ts';
import { lockInquiry, saveInquiry } from '../inquiry/lock.ts';
import { sendsWelcome } from '../settings.ts';
import { type Application, nameOf, readApplications, repeatsName } from './application.ts';
import { noPlan, type PreviewedPlan, readPlan, siblingsHere } from './plan.ts';

export type Choices = Omit<ParsedOf<typeof accountApi.create>, 'id' | 'version' | 'confirmToken'>;

/** An account that is decided on, and locked against every other caller. */
export interface Prepared {
  application: Application;
  inquiry: Awaited<ReturnType<typeof lockInquiry>>;
  choices: Choices;
  guardians: NewGuardian[];
  gender: (typeof genders)[number];
  /** The student who left and comes back; undefined for a new one. */
  returning: number | undefined;
  /** The student who is here already: nothing is made, and the application leads to this one. */
  same: Application['here'];
  section: string;
  plan: PreviewedPlan;
  makes: Text[];
  basis: unknown;
}

/** The day on which a child of the application joins unless another one is chosen. */
export const joiningDay = ({ row }: Application, now: Date) => {
  const today = toLocalDate(now);
  if (today < row.starts_on) return row.starts_on;
  return today;
};

const needed = text`Answer this question.`;

/**
 * Locks an application with its year, section and the numbers of its adults, in the order of all locks, and decides what is made.
 * Throws where an account exists, can't be made, or lacks a choice.
 */
export async function prepareAccount(
  ctx: UserContext,
  { id, version }: { id: number; version?: number },
  given: Choices | Pick<Choices, 'withoutPlan'>,
): Promise<Prepared> {
  const whole = 'joinsOn' in given ? given : undefined;
  const found = await ctx.db
    .selectFrom('admission_inquiry')
    .where('id', '=', id)
    .select('academic_year_id')
    .executeTakeFirstOrThrow(notFound);
  await lockYearForShare(ctx, found.academic_year_id);
  const inquiry = await lockInquiry(ctx, id);
  if (inquiry.state === 'Admitted') throw await alreadyCreated(ctx, inquiry);
  stateAfter('admit', inquiry.state);
  // The version is asked after the state: the second of two callers reads who was first.
  if (version !== undefined && version !== inquiry.version) await lockInquiry(ctx, id, version);
  if (whole?.sectionId) await lockSections(ctx, [whole.sectionId]);
  const [read] = await readApplications(ctx, [id], true);
  const application = read && whole?.hasOneName ? withOneName(read) : read;
  if (!application) throw new AppError('not_found', notFoundMessage);
  const [block] = application.blocks;
  if (block) throw new AppError('conflict', block);
  const choices = whole ?? plainChoices(application, ctx.now(), given.withoutPlan);
  const decided = await decide(ctx, application, choices);
  return { application, inquiry, choices, ...decided };
}

/** Without the last name that repeats the first one; another last name is one. */
const withOneName = (application: Application): Application =>
  application.child && repeatsName(application.child)
    ? { ...application, child: { ...application.child, lastName: '' } }
    : application;

/** The choices of an application that needs none: the section is assigned later. */
const plainChoices = (application: Application, now: Date, withoutPlan: boolean): Choices => ({
  joinsOn: joiningDay(application, now),
  sectionId: null,
  houseId: null,
  gender: '',
  middleName: '',
  hasOneName: false,
  udiseUid: application.udiseUid,
  pen: '',
  apaar: '',
  fatherIs: '',
  motherIs: '',
  guardianIs: '',
  contact1Is: '',
  contact2Is: '',
  returning: '',
  barred: '',
  restriction: '',
  withoutPlan,
});

async function decide(ctx: UserContext, application: Application, choices: Choices) {
  const { row, child, adults, leaver, here } = application;
  const errors: FieldErrors = {};
  if (choices.joinsOn < row.starts_on || choices.joinsOn > row.ends_on)
    errors.joinsOn = text`Choose a day from ${{ first: showDate(row.starts_on) }} to ${{ last: showDate(row.ends_on) }}.`;
  const gender = row.gender === null ? choices.gender : genderWord(row.gender);
  if (gender === '') errors.gender = needed;
  if (choices.returning === '' && (here || (leaver && !leaver.is_same_number))) errors.returning = needed;
  if (here && choices.returning === 'The same child') return decideSame(ctx, application, here, { gender, errors });
  const isReturning = leaver !== null && (leaver.is_same_number || choices.returning === 'The same child');
  if (child?.isDivorced && choices.barred === '') errors.barred = needed;
  const barredPart = choices.barred === '' || choices.barred === 'Nobody' ? '' : choices.barred.toLowerCase();
  if (barredPart !== '' && choices.restriction === '') errors.restriction = text`Enter the court’s order.`;
  const guardians = isReturning
    ? []
    : adults.map(({ part, certain, likely, ...adult }) => {
        const chosen = choices[`${part}Is`];
        const isOffered = chosen === newAdult || likely.includes(Number(chosen));
        if (certain === undefined && likely.length > 0 && !isOffered) errors[`${part}Is`] = chooseAdult;
        const id = certain ?? (chosen === newAdult || chosen === '' ? undefined : Number(chosen));
        const { firstName, lastName, mobile, email, ...link } = adult;
        const restriction = part === barredPart ? { restriction: choices.restriction, isPrimary: false } : {};
        const words = { ...link, ...restriction };
        return { part, ...words, ...(id === undefined ? { firstName, lastName, mobile, email } : { id }) };
      });
  if (guardians.length > 0 && !guardians.some(({ isPrimary }) => isPrimary)) {
    const first = guardians.find(({ part, role }) => part !== barredPart && role !== 'Contact');
    if (first) first.isPrimary = true;
    else errors.barred = text`The form has no adult to call first. Add another adult.`;
  }
  if (isReturning) await refuseSameYear(ctx, application);
  const known = guardians.flatMap((guardian) => ('id' in guardian && guardian.role !== 'Contact' ? [guardian.id] : []));
  const siblings = await siblingsHere(ctx, isReturning ? { studentIds: [leaver.id] } : { guardianIds: known });
  const plan = await readPlan(ctx, application, choices.joinsOn, siblings);
  if (plan.reason && !choices.withoutPlan) errors.withoutPlan = plan.reason;
  const section = choices.sectionId === null ? '' : await nameOfFree(ctx, application, choices, errors);
  if (Object.keys(errors).length > 0) throw new AppError('invalid', problemMessage, { fields: errors });
  return {
    guardians: guardians.map(({ part: _, ...guardian }): NewGuardian => guardian),
    gender: gender as (typeof genders)[number],
    returning: isReturning ? leaver.id : undefined,
    same: null,
    section,
    plan,
    makes: [...makesOf(application, choices, isReturning, section), ...planWords(plan)],
    basis: [
      row.version,
      choices,
      adults.map(({ part, certain, likely }) => [part, certain, likely]),
      [leaver, here].map((one) => one && [one.id, one.version]),
      application.files?.documents.map(({ fileId, status }) => [fileId, status]),
      plan.basis,
    ],
  };
}

/** Nothing is made of the application of a child who is a student: it leads to that student. */
async function decideSame(
  ctx: UserContext,
  application: Application,
  here: NonNullable<Application['here']>,
  { gender, errors }: { gender: string; errors: FieldErrors },
) {
  delete errors.gender;
  if (Object.keys(errors).length > 0) throw new AppError('invalid', problemMessage, { fields: errors });
  await refuseSameYear(ctx, application);
  const plan: PreviewedPlan = { ...noPlan, reason: text`The student has the fees of the record.` };
  return {
    guardians: [],
    gender: (gender || 'Girl') as (typeof genders)[number],
    returning: undefined,
    same: here,
    section: '',
    plan,
    makes: [
      text`No record is created: the application leads to ${{ name: here.name }}, GR ${{ number: here.gr_no }}.`,
      text`The fee paid at admission becomes an advance of that student.`,
    ],
    basis: [application.row.version, here.id, here.version],
  };
}

/** A child has one application in a year; one who comes back within it is re-admitted on the record. */
async function refuseSameYear({ db }: UserContext, { row, leaver, here }: Application) {
  const earlier = await db
    .selectFrom('admission_inquiry')
    .where('student_id', '=', leaver?.id ?? here?.id ?? 0)
    .where('academic_year_id', '=', row.academic_year_id)
    .select('inquiry_no')
    .executeTakeFirst();
  if (earlier)
    throw new AppError(
      'conflict',
      text`${{ inquiryNo: earlier.inquiry_no }} admitted this child in the same year. Re-admit the child on the record.`,
    );
}

/** The name of the chosen section; refuses one of another place, and one without a free seat. */
async function nameOfFree(ctx: UserContext, { row }: Application, choices: Choices, errors: FieldErrors) {
  const sections = await sectionsWithSeats(ctx, placeOf(row), choices.joinsOn);
  const section = sections.find(({ id }) => id === choices.sectionId);
  if (!section) errors.sectionId = text`Choose one from the list.`;
  else if (section.strength >= section.capacity) errors.sectionId = sectionFull(section.name);
  return section?.name ?? '';
}

export const placeOf = (row: Application['row']) => ({
  academicYearId: row.academic_year_id,
  branchId: row.branch_id,
  programId: row.program_id,
  gradeId: row.grade_id,
});

function planWords({ reason, structure, total, suggested, conceded }: PreviewedPlan): Text[] {
  if (reason) return [text`No fee plan yet: create it later`];
  const names = suggested.map(({ name }) => name).join(', ');
  return [
    text`Fee plan ${{ structure }}: ${{ total: showMoney(total) }} before concessions`,
    ...(names ? [text`Suggested concessions: ${{ names }}. Once granted: ${{ conceded: showMoney(conceded) }}`] : []),
  ];
}

function makesOf(application: Application, choices: Choices, isReturning: boolean, section: string): Text[] {
  const { row, child, files, adults, leaver } = application;
  const day = showDate(choices.joinsOn);
  const name = child ? nameOf(child) : '';
  const documents = files?.documents.length ?? 0;
  const isNew = ({ part, certain }: (typeof adults)[number]) =>
    certain === undefined && !/^[0-9]+$/.test(choices[`${part}Is`]);
  const namesOf = (some: typeof adults) => some.map(nameOf).join(', ');
  const [fresh, known] = [adults.filter(isNew), adults.filter((adult) => !isNew(adult))];
  return [
    isReturning
      ? text`${{ name }} returns with GR number ${{ grNo: leaver?.gr_no ?? '' }} and joins ${{ grade: row.grade }} on ${{ day }}`
      : text`${{ name }} joins ${{ grade: row.grade }} on ${{ day }}`,
    section ? text`Section: ${{ section }}` : text`Section: assigned later`,
    ...(isReturning ? [text`The family’s record doesn’t change`] : []),
    ...(!isReturning && fresh.length > 0 ? [text`New adults: ${{ names: namesOf(fresh) }}`] : []),
    ...(!isReturning && known.length > 0 ? [text`Known adults: ${{ names: namesOf(known) }}`] : []),
    ...(documents > 0
      ? [text({ message: '{documents, plural, one {# document} other {# documents}} and the photo' }, { documents })]
      : []),
    ...(row.health === null ? [] : [text`Health answers, sealed for the student`]),
    ...(child?.wantsTransport ? [text`Asks for the school bus`] : []),
  ];
}

/** Makes the student of a prepared account; returns who it is. */
export async function applyAccount(ctx: UserContext, prepared: Prepared) {
  const { application, inquiry, choices, guardians, gender, returning, same, plan } = prepared;
  const { row, child, files, record } = application;
  if (!child) throw new Error('An incomplete form is refused before.');
  const health = await openHealth(ctx, row.id);
  const papers: Papers = { address: child.address, ...(health && { health }), ...files };
  const place = placeOf(row);
  const student = await makeStudent();
  if (isLanguage(inquiry.language)) await keepFormLanguage(ctx, student.id, inquiry.language);
  await adoptAccount(ctx, row.id, student.id);
  if (!plan.reason) {
    await addPlan(ctx, student.id, row.academic_year_id, plan.total);
    const place = { studentId: student.id, yearId: row.academic_year_id, joinedOn: choices.joinsOn };
    await addSuggestions(ctx, place, plan.suggested);
    await payFromAdmission(ctx, student.id);
  }
  await saveInquiry(
    ctx,
    inquiry,
    'admission.account.created',
    { state: stateAfter('admit', inquiry.state), status: publishedAs.Admitted, student_id: student.id },
    { 'GR number': student.grNo, Student: nameOf(child) },
  );
  if (await readSetting(ctx, sendsWelcome)) {
    const message = { inquiryId: row.id, template: 'admission.welcome' as const, key: `welcome ${row.id}` };
    await sendToParents(ctx, ctx.user.name, message);
  }
  return student;

  async function makeStudent() {
    if (same) return { id: same.id, grNo: same.gr_no };
    return returning === undefined ? addNew() : readmit(ctx, returning, { application, choices, papers });
  }

  async function addNew() {
    const alike = [application.here, application.leaver].flatMap((one) => one?.id ?? []);
    const addOne = async (student: NewStudent) =>
      addStudents(ctx, [student], () => refuseAdded(ctx, application, alike));
    const [added] = await addOne({
      ...place,
      firstName: child?.firstName ?? '',
      middleName: choices.middleName,
      lastName: child?.lastName ?? '',
      gender,
      birthDate: child?.birthDate ?? '',
      admittedOn: choices.joinsOn,
      grNo: '',
      sectionId: choices.sectionId,
      guardians,
      aadhaar: isAadhaar(child?.aadhaar ?? '') ? (child?.aadhaar ?? '') : '',
      record: {
        ...record,
        house_id: choices.houseId,
        blood_group: child?.bloodGroup ?? '',
        caste: child?.caste ?? '',
        sub_caste: child?.subCaste ?? '',
        udise_uid: choices.udiseUid,
        pen: choices.pen,
        apaar: choices.apaar,
      },
      papers: { ...papers, schools: child?.schools ?? [] },
      inquiryNo: row.inquiry_no,
    });
    if (!added) throw new Error('No student was added.');
    if (alike.length > 0) await keepNotSame(ctx, added.id, alike);
    return { id: added.id, grNo: added.grNo };
  }
}

/** Behind the locks: the same child may have been added a moment ago, by another door. */
async function refuseAdded(ctx: UserContext, { child }: Application, answered: readonly number[]) {
  if (!child) return;
  const [known] = await findKnownChildren(ctx, [{ ...child, mobiles: child.adults.map(({ mobile }) => mobile) }]);
  if (known?.here && !answered.includes(known.here.id)) throw new AppError('stale', changedMessage);
}

/** The plan is the one that was shown, or the account is not made. A returning child may have concessions, which lower it. */
async function addPlan(ctx: UserContext, studentId: number, yearId: number, total: number) {
  const made = await makePlan(ctx, studentId, yearId, {});
  if ('reason' in made) throw new AppError('conflict', made.reason);
  if (made.net > total) throw new AppError('stale', changedMessage);
}

/** Enrols a student who left; the record, the GR number and the family stay. */
async function readmit(
  ctx: UserContext,
  id: number,
  { application: { row, leaver }, choices, papers }: Pick<Prepared, 'application' | 'choices'> & { papers: Papers },
) {
  await readmitStudent(ctx, id, {
    joinedOn: choices.joinsOn,
    place: { branch_id: row.branch_id, program_id: row.program_id, grade_id: row.grade_id },
    sectionId: choices.sectionId,
    admissionType: '',
  });
  await addPapers(ctx, [{ studentId: id, ...papers }]);
  return { id, grNo: leaver?.gr_no ?? '' };
}

/** Says who created the account, and when. */
async function alreadyCreated({ db }: UserContext, { id, student_id }: { id: number; student_id: number | null }) {
  const act = await db
    .selectFrom('audit')
    .where('entity', '=', 'admission_inquiry')
    .where('entity_id', '=', id)
    .where('action', '=', 'admission.account.created')
    .orderBy('id', 'desc')
    .select(['actor', 'at'])
    .executeTakeFirst();
  const time = act?.at.toLocaleTimeString('en-GB', { timeZone: localTimeZone, hour: '2-digit', minute: '2-digit' });
  const message = act
    ? text`${{ name: act.actor }} created the account on ${{ day: showDate(toLocalDate(act.at)) }} at ${{ time: time ?? '' }}.`
    : text`The account is there already.`;
  return new AppError('conflict', message, { data: { studentId: student_id } });
}
