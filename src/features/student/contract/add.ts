import * as z from 'zod/mini';
import { studentKeepers } from '#access/contract/grants.ts';
import { gradeMaster, programMaster } from '#features/academic/contract/masters.ts';
import { branchMaster } from '#features/school/contract/masters.ts';
import { checkNames, oneNameInput } from '#features/school/contract/one-name.ts';
import { anyText } from '#kit/contract/any-text.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { asOptional, field, inputOf, pick } from '#kit/contract/field.ts';
import { chosenId, id, optionalId, tick } from '#kit/contract/fields.ts';
import { namedBy } from '#kit/contract/master.ts';
import { calendarDay } from '#kit/contract/shell-fields.ts';
import { text } from '#kit/contract/text.ts';
import { knownAdult, relations } from './guardian.ts';
import { changes, genders, path, personalFields, personFields, shows } from './record.ts';

/** What is entered of a new student; the rest of the record is entered on its page. */
export const newStudentFields = {
  ...pick(personFields, 'firstName', 'middleName', 'lastName', 'gender'),
  ...pick(personalFields, 'birthDate'),
  admittedOn: field.date(text`Admitted on`),
  gradeId: field.ref(text`Grade`, { to: namedBy(gradeMaster) }),
};
/** Without a section these say where the student is enrolled. */
export const placeFields = {
  branchId: field.ref(text`Branch`, { to: namedBy(branchMaster), optional: true }),
  programId: field.ref(text`Program`, { to: namedBy(programMaster), optional: true }),
};
export const firstGuardianFields = {
  guardianMobile: field.mobile(text`Mobile number of the guardian`, { optional: true }),
  guardianRelationId: field.ref(text`Relation`, {
    to: relations,
    optional: true,
    hint: text`Leave it empty for the father, or for an adult who is on record.`,
  }),
  guardianFirstName: field.text(text`First name of the guardian`, {
    max: 50,
    optional: true,
    hint: text`Leave it empty for the child’s middle name.`,
  }),
  guardianLastName: field.text(text`Last name of the guardian`, {
    max: 50,
    optional: true,
    hint: text`Leave it empty for the child’s last name.`,
  }),
};
export const grNoField = {
  grNo: asOptional(
    field.text(text`GR number`, {
      max: 20,
      like: /^[0-9A-Za-z /._-]+$/,
      hint: text`Leave it empty for the next number.`,
    }),
  ),
};

const namePart = z.string().check(z.maxLength(50));

/** A student who may be the child that is entered. */
const alikeStudent = z.object({
  id: z.number(),
  name: z.string(),
  grNo: z.string(),
  /** The section, or the grade of who has none. */
  place: z.string(),
  birthDate: z.string(),
  /** '' of who has not left. */
  leftOn: z.string(),
  /** Who is called first, with the end of the number. */
  adult: z.string(),
  /** The child is added only once the user says that it is another one. */
  isAsked: z.boolean(),
});

/** Children who all have the same adults. */
const knownFamily = z.object({
  /** The child whose adults a new one gets. */
  siblingId: z.number(),
  children: z.array(z.string()),
  adults: z.array(z.object({ name: z.string(), relation: z.string() })),
});

export const addStudentApi = {
  create: endpoint({
    method: 'POST',
    path,
    access: studentKeepers,
    changes: [...changes, 'section'],
    input: z
      .object({
        ...inputOf(newStudentFields),
        ...oneNameInput,
        sectionId: chosenId(text`Section`),
        ...inputOf(placeFields),
        ...inputOf(firstGuardianFields),
        /** An adult who is known by this mobile number. */
        guardianId: optionalId,
        /** A brother or sister: the child gets the same adults, with the same rights. */
        siblingId: optionalId,
        ...inputOf(grNoField),
        /** The number is that of a known adult, and of this new one too. */
        isNewAdult: tick(text`Another adult with this number`),
        /** None of the students who may be this child, of whom these were shown. */
        isOtherChild: tick(text`Not the same child`),
        seenIds: z.optional(z.array(id).check(z.maxLength(100))),
      })
      .check(checkNames),
    output: z.object({ id: z.number(), grNo: z.string() }),
  }),
  /** The sections of a grade with their seats, most free seats first, in the current year or in that of a day. */
  seats: endpoint({
    method: 'GET',
    path: `${path}/seat`,
    access: studentKeepers,
    shows: [...shows, 'year'],
    input: z.object({ gradeId: id, on: z._default(calendarDay(text`Day`, true), '') }),
    output: z.array(
      z.object({ id: z.number(), name: z.string(), branch: z.string(), strength: z.number(), capacity: z.number() }),
    ),
  }),
  /** The students who may be the child that is entered. */
  alike: endpoint({
    method: 'GET',
    path: `${path}/alike`,
    access: studentKeepers,
    shows,
    input: z.object({
      firstName: namePart,
      lastName: namePart,
      gender: z._default(z.enum(['', ...genders]), ''),
      birthDate: calendarDay(text`Birth date`),
      grNo: z._default(z.string().check(z.maxLength(20)), ''),
      sectionId: optionalId,
      branchId: optionalId,
      mobile: z._default(z.string().check(z.regex(/^([0-9]{10})?$/)), ''),
    }),
    output: z.object({
      students: z.array(alikeStudent),
      /** A student of a branch that the reader does not see is asked about. */
      isElsewhere: z.boolean(),
    }),
  }),
  /** The child's age on the day that counts for the current year, and whether the grade takes it: a warning, no refusal. */
  age: endpoint({
    method: 'GET',
    path: `${path}/age`,
    access: studentKeepers,
    shows: ['year', 'grade'],
    input: z.object({ gradeId: id, birthDate: z.iso.date() }),
    output: z.object({ words: z.nullable(anyText), isOutside: z.boolean() }),
  }),
  /** The adults with a mobile number, of every branch. */
  known: endpoint({
    method: 'GET',
    path: `${path}/known-guardian`,
    access: studentKeepers,
    shows,
    input: z.object({ mobile: z.string().check(z.regex(/^[0-9]{10}$/)) }),
    output: z.array(z.object({ ...knownAdult.shape, family: z.nullable(knownFamily) })),
  }),
};
