import * as z from 'zod/mini';
import { studentKeepers } from '#access/contract/grants.ts';
import { staffNames } from '#access/contract/staff-names.ts';
import { localLanguages } from '#features/school/contract/local-language.ts';
import { lookupsAt } from '#features/school/contract/lookup.ts';
import { checkAdultNames } from '#features/school/contract/one-name.ts';
import { removedAnswer } from '#kit/contract/added.ts';
import { anyText } from '#kit/contract/any-text.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { field, inputOf, nameOptions, optionsInput, outputOf, pick } from '#kit/contract/field.ts';
import {
  freeText,
  id,
  optionalEmail,
  optionalFreeText,
  optionalId,
  optionalMobile,
  tick,
} from '#kit/contract/fields.ts';
import { defineRecord } from '#kit/contract/record.ts';
import { options, text } from '#kit/contract/text.ts';
import { changes, familyReaders, localNames, path, shows } from './record.ts';

export const relations = lookupsAt(`${path}/relation`, studentKeepers, 'Relation');

/** The sectors of work, or their specialties, as targets of fields. */
const careersAt = <const Path extends string>(path: Path) => ({
  table: 'academic_career',
  labelFields: ['name'],
  fields: { name: field.text(text`Name`, { max: 60 }) },
  options: endpoint({
    method: 'GET',
    path,
    access: studentKeepers,
    shows: ['career'],
    input: z.object(optionsInput),
    output: nameOptions,
  }),
});
const sectors = careersAt(`${path}/sector`);
const specialties = careersAt(`${path}/specialty`);

/** Parents and guardians make children one family; a contact may only be called or collect. */
export const guardianRoles = options('Parent', 'Guardian', 'Contact');

/** An adult of a child, and what ties both. */
const guardianRecord = defineRecord({
  table: 'guardian',
  read: familyReaders,
  change: studentKeepers,
  groups: {
    adult: {
      title: text`Adult`,
      fields: {
        firstName: field.text(text`First name`, { max: 50 }),
        middleName: field.text(text`Middle name`, { max: 50, optional: true }),
        lastName: field.text(text`Last name`, { max: 50, optional: true }),
        mobile: field.mobile(text`Mobile number`, { optional: true }),
        email: field.email(text`Email address`, { optional: true }),
        qualification: field.text(text`Qualification`, { max: 100, optional: true }),
        occupation: field.text(text`Occupation`, { max: 50, optional: true }),
        organization: field.text(text`Organization`, { max: 100, optional: true }),
        sectorId: field.ref(text`Sector of work`, { to: sectors, optional: true }),
        specialtyId: field.ref(text`Specialty`, { to: specialties, optional: true }),
        jobProfile: field.longText(text`Job profile`, { max: 500, optional: true }),
        staffId: field.ref(text`Works at this school as`, { to: staffNames, optional: true }),
        isDeceased: field.yesNo(text`Deceased`),
      },
    },
    local: { title: text`Names in the school’s language`, fields: localNames },
    link: {
      title: text`Of this child`,
      table: 'student_guardian',
      fields: {
        relationId: field.ref(text`Relation`, { to: relations }),
        role: field.oneOf(text`Role`, { options: guardianRoles, isRadio: true }),
        contactOrder: field.number(text`Order of calling`, {
          least: 1,
          most: 99,
          hint: text`Who has this place and who follows move on. Place 1 is the adult who is called first.`,
        }),
        mayCollect: field.yesNo(text`May collect the child`),
        receivesMessages: field.yesNo(text`Receives messages`),
        isBarred: field.yesNo(text`Barred from contact`, { hint: text`By a court’s order.` }),
        restriction: field.text(text`Restriction`, { max: 300, optional: true }),
      },
    },
  },
});
const { adult, local } = guardianRecord.groups;
export const localAdultFields = local.fields;
/** What is entered of an adult at once; the names in the school's language are a part of the form by themselves. */
export const mainAdultFields = adult.fields;
export const adultFields = { ...mainAdultFields, ...localAdultFields };
export const adultNameFields = pick(adultFields, 'firstName', 'middleName', 'lastName');
export const linkFields = guardianRecord.groups.link.fields;

export const guardian = z.object({
  id: z.number(),
  /** Of the link to this child. */
  version: z.number(),
  adultVersion: z.number(),
  name: z.string(),
  relation: z.string(),
  /** Where and in what the adult works. */
  work: z.string(),
  /** The name in the staff list, of those who work here. */
  worksHere: z.string(),
  isPrimary: z.boolean(),
  /** Another adult has the name, and the number or this child. */
  mayBeTwice: z.boolean(),
  /** Other children of this adult, with their sections. */
  alsoOf: z.array(z.string()),
  saved: z.object({ ...outputOf(adultFields), ...outputOf(linkFields) }),
});
export type Guardian = z.infer<typeof guardian>;

/** A known adult as it is offered. */
export const knownAdult = z.object({
  id: z.number(),
  name: z.string(),
  relation: z.string(),
  /** The children whom the reader may see, as "Riya Patel (Grade 3, B)". */
  children: z.array(z.string()),
  /** How many others there are. */
  others: z.number(),
});

const ofChild = { id, guardian: id };
const values = { ...inputOf(adultFields), ...inputOf(linkFields) };
const nothing = z.object({});

export const guardianApi = {
  relations: relations.options,
  sectors: sectors.options,
  specialties: specialties.options,
  /** The adults of other children who may be this one: by number or address of every branch, by name of the own children. */
  alike: endpoint({
    method: 'GET',
    path: `${path}/guardian-alike`,
    access: studentKeepers,
    shows,
    input: z.object({
      firstName: freeText(text`First name`, 50),
      lastName: optionalFreeText(text`Last name`, 50),
      mobile: optionalMobile(text`Mobile number`),
      email: optionalEmail(text`Email address`),
    }),
    output: z.array(
      z.object({
        ...knownAdult.shape,
        /** Has the number or address. */
        hasContact: z.boolean(),
        /** Has the name too. */
        isSame: z.boolean(),
      }),
    ),
  }),
  /** Replaces a shared adult for this child: by a new adult, or by one who is known. */
  instead: endpoint({
    method: 'POST',
    path: `${path}/:id/guardian/:guardian/instead`,
    access: studentKeepers,
    changes,
    input: z.object({ ...ofChild, version: id, ...values }).check(checkAdultNames),
    output: z.object({ id: z.number() }),
  }),
  /** The adults of a child, whom to call first at the top. */
  family: endpoint({
    method: 'GET',
    path: `${path}/:id/family`,
    access: familyReaders,
    shows,
    opens: 'student',
    input: z.object({ id }),
    output: z.object({ guardians: z.array(guardian), localLanguage: z.enum(localLanguages) }),
  }),
  /** Links a new adult, or the one who is known by number or address, and completes that one. The first who may be is called first. */
  add: endpoint({
    method: 'POST',
    path: `${path}/:id/guardian`,
    access: studentKeepers,
    opens: 'student',
    changes,
    input: z
      .object({
        id,
        ...values,
        /** An adult of `alike` who was chosen. */
        knownId: optionalId,
        /** The number is that of a known adult, and of this new one too. */
        isNewAdult: tick(text`Another adult with this number`),
      })
      .check(checkAdultNames),
    output: z.object({
      id: z.number(),
      /** The name of an adult who was known; '' for a new one. */
      known: z.string(),
      /** What a known adult has otherwise than entered, and keeps. */
      kept: z.array(anyText),
    }),
  }),
  /** Changes the adult, also for the other children, and the link to this child. */
  save: endpoint({
    method: 'PUT',
    path: `${path}/:id/guardian/:guardian`,
    access: studentKeepers,
    changes,
    input: z.object({ ...ofChild, version: id, adultVersion: id, ...values }).check(checkAdultNames),
    output: nothing,
  }),
  /** Unlinks an adult; one who is called first is replaced by `nextId`. One entered by mistake goes, as long as nothing hangs on them. */
  remove: endpoint({
    method: 'DELETE',
    path: `${path}/:id/guardian/:guardian`,
    access: studentKeepers,
    opens: 'student',
    changes,
    input: z.object({ ...ofChild, version: id, nextId: optionalId, isMistake: tick(text`Entered by mistake`) }),
    output: removedAnswer,
  }),
  callFirst: endpoint({
    method: 'PUT',
    path: `${path}/:id/guardian/:guardian/primary`,
    access: studentKeepers,
    changes,
    input: z.object(ofChild),
    output: nothing,
  }),
};
