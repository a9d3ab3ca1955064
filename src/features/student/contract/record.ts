import * as z from 'zod/mini';
import { admin, staff, studentKeepers, studentReaders } from '#access/contract/grants.ts';
import { houseMaster } from '#features/academic/contract/masters.ts';
import { localLanguages } from '#features/school/contract/local-language.ts';
import { lookupsAt } from '#features/school/contract/lookup.ts';
import { oneNameInput, oneNameWords } from '#features/school/contract/one-name.ts';
import { aadhaarDigits, isAadhaar } from '#kit/contract/aadhaar.ts';
import { abilities } from '#kit/contract/abilities.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { field, inputOf, outputOf } from '#kit/contract/field.ts';
import { freeText, id, idAndVersion, rule } from '#kit/contract/fields.ts';
import { historyOf } from '#kit/contract/history.ts';
import { namedBy } from '#kit/contract/master.ts';
import { defineRecord } from '#kit/contract/record.ts';
import { cardOf, nextOf, shownCards, todayOf } from '#kit/contract/served-card.ts';
import { options, type Text, text } from '#kit/contract/text.ts';

export const path = '/student';
/** What the parts of a record show and change. */
export const changes = ['student', 'student-record'];
export const shows = ['student', 'student-record', 'section', 'section-teacher', 'house', 'lookup', 'branch'];

export const genders = options('Girl', 'Boy', 'Transgender');
export const genderCodes = { Girl: 'F', Boy: 'M', Transgender: 'T' } as const;
type Gender = (typeof genders)[number];
/** The word of a stored code. */
export const genderWord = (code: string) => genders.find((word) => genderCodes[word] === code) as Gender;
const bloodGroups = options('A+', 'A-', 'B+', 'B-', 'AB+', 'AB-', 'O+', 'O-');
export const alertLevels = options('Info', 'Warning', 'Critical');
/** Derived from enrolments and leaving; never stored. */
/** Undecided: the enrolment ended with its year, and nobody has said what comes next. */
export const studentStatuses = options('Active', 'Joining', 'Undecided', 'Left', 'Never joined');

const personalReaders = [admin(), staff('office', 'principal', 'nurse', 'counsellor', 'classTeacher')] as const;
export const identityReaders = [admin(), staff('office', 'principal', 'classTeacher')] as const;
export const aadhaarReaders = [admin(), staff('office', 'principal')] as const;
/** Documents, leaving and the timeline. */
export const timelineReaders = [admin(), staff('office', 'principal')] as const;
/** Everyone who reads the list, but a subject teacher. */
export const familyReaders = [
  admin(),
  staff('office', 'principal', 'accountant', 'transportIncharge', 'nurse', 'counsellor', 'classTeacher'),
] as const;

/** The choices of the record, by their part of the address. */
export const choices = {
  category: lookupsAt(`${path}/category`, studentReaders, 'Student category'),
  nationality: lookupsAt(`${path}/nationality`, studentReaders, 'Nationality'),
  religion: lookupsAt(`${path}/religion`, studentReaders, 'Religion'),
  casteCategory: lookupsAt(`${path}/caste-category`, studentReaders, 'Caste category'),
  motherTongue: lookupsAt(`${path}/mother-tongue`, studentReaders, 'Language'),
};

const inLocalScript = {
  like: /^[^A-Za-z]*$/,
  message: text`Write it in the letters of Gujarati or Hindi.`,
} as const;
const localName = (label: Text, name: string) =>
  field.text(label, {
    max: 50,
    optional: true,
    ...inLocalScript,
    alsoNamed: [`${name} in Gujarati`, `${name} in Hindi`],
  });
/** Of students and of adults. */
export const localNames = {
  firstNameLocal: localName(text`First name in local script`, 'First name'),
  middleNameLocal: localName(text`Middle name in local script`, 'Middle name'),
  lastNameLocal: localName(text`Last name in local script`, 'Last name'),
};

/** A student: who the child is, and what the school and the state know the child by. */
export const studentRecord = defineRecord({
  table: 'student',
  read: studentReaders,
  change: studentKeepers,
  groups: {
    person: {
      title: text`Student`,
      fields: {
        firstName: field.text(text`First name`, { max: 50 }),
        middleName: field.text(text`Middle name`, { max: 50, optional: true }),
        lastName: field.text(text`Last name`, { max: 50, optional: true, alsoNamed: ['Surname'] }),
        gender: field.oneOf(text`Gender`, {
          options: genders,
          codes: genderCodes,
          isRadio: true,
          isLegal: true,
          alsoNamed: ['Sex'],
        }),
        houseId: field.ref(text`House`, { to: namedBy(houseMaster), optional: true }),
        alert: field.text(text`Alert for teachers`, { max: 120, optional: true, isUnlogged: true }),
        alertLevel: field.oneOf(text`Level of the alert`, { options: alertLevels, optional: true }),
      },
    },
    // It may say that a family pays nothing, which other teachers need not know.
    category: {
      title: text`Category`,
      read: familyReaders,
      fields: { categoryId: field.ref(text`Category`, { to: choices.category, optional: true, isLegal: true }) },
    },
    personal: {
      title: text`Personal data`,
      read: personalReaders,
      fields: {
        birthDate: field.birthDate(text`Birth date`, { alsoNamed: ['Date of birth', 'DOB'] }),
        birthPlace: field.text(text`Birth place`, { max: 60, optional: true }),
        bloodGroup: field.oneOf(text`Blood group`, {
          options: bloodGroups,
          optional: true,
          isUnlogged: true,
          isLegal: true,
        }),
        nationalityId: field.ref(text`Nationality`, { to: choices.nationality, optional: true }),
        motherTongueId: field.ref(text`Mother tongue`, { to: choices.motherTongue, optional: true }),
        religionId: field.ref(text`Religion`, {
          to: choices.religion,
          optional: true,
          needsReason: true,
          isLegal: true,
        }),
        casteCategoryId: field.ref(text`Caste category`, {
          to: choices.casteCategory,
          optional: true,
          alsoNamed: ['Cast category', 'Social category'],
          needsReason: true,
          isLegal: true,
        }),
        caste: field.text(text`Caste`, { max: 50, optional: true, isUnlogged: true, needsReason: true }),
        subCaste: field.text(text`Sub caste`, { max: 50, optional: true, isUnlogged: true, needsReason: true }),
      },
    },
    local: {
      title: text`Names in the school’s language`,
      read: personalReaders,
      fields: {
        ...localNames,
        birthPlaceLocal: field.text(text`Birth place in local script`, {
          max: 100,
          optional: true,
          ...inLocalScript,
          alsoNamed: ['Birth place in Gujarati', 'Birth place in Hindi'],
        }),
      },
    },
    identity: {
      title: text`Identity`,
      read: identityReaders,
      fields: {
        udiseUid: field.text(text`UDISE student UID`, {
          max: 20,
          like: /^[0-9A-Za-z]{1,20}$/,
          optional: true,
          needsReason: true,
        }),
        pen: field.text(text`PEN`, {
          max: 11,
          like: /^[0-9]{11}$/,
          message: text`Enter the 11 digits of the PEN.`,
          inputMode: 'numeric',
          optional: true,
          needsReason: true,
        }),
        apaar: field.text(text`APAAR ID`, {
          max: 12,
          like: /^[0-9]{12}$/,
          message: text`Enter the 12 digits of the APAAR ID.`,
          inputMode: 'numeric',
          optional: true,
          needsReason: true,
        }),
      },
    },
  },
});
const { person, category, personal, local, identity } = studentRecord.groups;
/** Stored sealed; everyone gets it masked, and the whole number with a reason. */
export const aadhaarFields = {
  aadhaar: field.text(text`Aadhaar number`, {
    max: 30,
    like: /^[\p{L}0-9 ./-]+$/u,
    hint: text`Or another identity document, if there is no Aadhaar number.`,
    optional: true,
    isUnlogged: true,
    needsReason: true,
  }),
};
export const personFields = person.fields;
/** Both are one card and one form; the category changes from a day, in an act of its own. */
export const localFields = local.fields;
export const personalForm = { ...person.fields, ...personal.fields, ...localFields };
export const personalFields = { ...personalForm, ...category.fields };
export const identityFields = identity.fields;

const idOnly = z.object({ id });

const sibling = z.object({
  /** Null where the reader may not open the record. */
  id: z.nullable(z.number()),
  name: z.string(),
  section: z.string(),
});

/** The head of a student's page. */
export const studentHead = z.object({
  id: z.number(),
  /** The GR number of the record that was asked for and was merged into this one; '' otherwise. */
  mergedFrom: z.string(),
  version: z.number(),
  name: z.string(),
  lastName: z.string(),
  grNo: z.string(),
  alert: z.string(),
  alertLevel: z.enum(['', ...alertLevels]),
  status: z.enum(studentStatuses),
  /** The last day at the school, once it is known. */
  leftOn: z.string(),
  branch: z.string(),
  grade: z.string(),
  /** The section of today; '' without one. */
  section: z.string(),
  rollNo: z.nullable(z.number()),
  classTeacher: z.string(),
  house: z.string(),
  /** '' for those who may not read the family. */
  category: z.string(),
  gradeId: z.nullable(z.number()),
  /** What the record lacks; absent for those who may not read all of it. */
  missing: z.optional(z.array(z.string())),
  /** Absent for those who may not read the family. */
  family: z.optional(
    z.object({
      /** Whom to call first. */
      primary: z.nullable(z.object({ name: z.string(), relation: z.string(), mobile: z.string() })),
      siblings: z.array(sibling),
    }),
  ),
  photo: z.string(),
  /** The cards that the reader has. */
  cards: shownCards,
  /** The type of the document that has waited longest, for those who verify it; '' for none. */
  toVerify: z.string(),
  may: abilities('change', 'changePhoto', 'correctGr'),
});
export type StudentHead = z.infer<typeof studentHead>;

/** The rows that the fields of a part refer to, by field. */
const names = z.record(z.string(), z.string());
export const enrollment = z.object({
  id: z.number(),
  year: z.string(),
  branch: z.string(),
  program: z.string(),
  grade: z.string(),
  status: z.string(),
  admissionType: z.string(),
  joinedOn: z.string(),
  /** '' while it lasts. */
  leftOn: z.string(),
  sections: z.array(
    z.object({ name: z.string(), rollNo: z.nullable(z.number()), from: z.string(), until: z.string() }),
  ),
});

const checkAlert = rule<{ alert: string; alertLevel: string }>(({ alert, alertLevel }, say) => {
  if (alert !== '' && alertLevel === '') say('alertLevel', text`Choose how serious the alert is.`);
  if (alert === '' && alertLevel !== '') say('alert', text`Enter the alert, or leave its level empty.`);
});

/** An empty last name is said to be no mistake. Signs are refused where the name changes. */
const checkOneName = rule<{ lastName: string; hasOneName: boolean }>(({ lastName, hasOneName }, say) => {
  if (lastName === '' && !hasOneName) say('lastName', oneNameWords.asks);
});

/** Twelve digits are an Aadhaar number, or mistyped. */
export const checkAadhaar = rule<{ aadhaar: string }>(({ aadhaar = '' }, say) => {
  if (aadhaarDigits(aadhaar) !== '' && /^[0-9 -]+$/.test(aadhaar) && !isAadhaar(aadhaar))
    say('aadhaar', text`This is not an Aadhaar number. Check its digits.`);
});

const saved = z.object({ version: z.number() });

export const studentRecordApi = {
  read: endpoint({
    method: 'GET',
    path: `${path}/:id`,
    access: studentReaders,
    shows,
    opens: 'student',
    input: idOnly,
    output: studentHead,
  }),
  personal: endpoint({
    method: 'GET',
    path: `${path}/:id/personal`,
    access: personalReaders,
    shows,
    opens: 'student',
    input: idOnly,
    output: z.object({
      version: z.number(),
      names,
      saved: z.object(outputOf(personalForm)),
      /** Since which day register entries change by a correction alone; '' while they are open. */
      closedOn: z.string(),
      localLanguage: z.enum(localLanguages),
    }),
  }),
  identity: endpoint({
    method: 'GET',
    path: `${path}/:id/identity`,
    access: identityReaders,
    shows,
    opens: 'student',
    input: idOnly,
    output: z.object({
      version: z.number(),
      grNo: z.string(),
      saved: z.object({ ...outputOf(identityFields), ...outputOf(aadhaarFields) }),
      may: abilities('reveal'),
    }),
  }),
  savePersonal: endpoint({
    method: 'PUT',
    path: `${path}/:id/personal`,
    access: studentKeepers,
    changes,
    input: z.object({ ...idAndVersion, ...inputOf(personalForm), ...oneNameInput }).check(checkAlert, checkOneName),
    output: saved,
  }),
  saveIdentity: endpoint({
    method: 'PUT',
    path: `${path}/:id/identity`,
    access: studentKeepers,
    changes,
    input: z.object({ ...idAndVersion, ...inputOf(identityFields), ...inputOf(aadhaarFields) }).check(checkAadhaar),
    output: saved,
  }),
  /** The whole Aadhaar number. Each reveal is audited with its reason. */
  revealAadhaar: endpoint({
    method: 'POST',
    path: `${path}/:id/aadhaar/reveal`,
    access: aadhaarReaders,
    opens: 'student',
    isReveal: true,
    changes: ['student-record'],
    input: z.object({ id, reason: freeText(text`Reason`, 300) }),
    output: z.object({ aadhaar: z.string() }),
  }),
  card: cardOf(path, studentReaders, shows, 'student'),
  today: todayOf(path, studentReaders, [...shows, 'attendance', 'homework', 'fee', 'transport'], 'student'),
  next: nextOf(path, studentReaders, [...shows, 'observation', 'ticket'], 'student'),
  history: historyOf(path, timelineReaders, [...shows, 'student-section'], 'student'),
  enrollment: endpoint({
    method: 'GET',
    path: `${path}/:id/enrollment`,
    access: studentReaders,
    shows,
    opens: 'student',
    input: idOnly,
    output: z.object({ admittedOn: z.string(), admittedClass: z.string(), enrollments: z.array(enrollment) }),
  }),
};
