import * as z from 'zod/mini';
import { studentReaders } from '#access/contract/grants.ts';
import { gradeMaster } from '#features/academic/contract/masters.ts';
import { yearMaster } from '#features/calendar/contract/masters.ts';
import { branchMaster } from '#features/school/contract/masters.ts';
import { tagOptionsInput } from '#features/tag/contract/tag.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { nameOptions, optionsInput } from '#kit/contract/field.ts';
import { optionalId } from '#kit/contract/fields.ts';
import { namedBy } from '#kit/contract/master.ts';
import { columnsOf } from '#kit/contract/record.ts';
import { defineList, filterBy, filtersOf } from '#kit/contract/record-list.ts';
import { options, text } from '#kit/contract/text.ts';
import { path, shows, studentRecord, studentStatuses } from './record.ts';

/** What the list finds to be missing: also what only some schools keep. */
export const missing = options(
  'Guardian',
  'Mobile number',
  'Photo',
  'Aadhaar number',
  'PEN',
  'APAAR ID',
  'House',
  'Category',
  'Documents',
  'Name in local script',
);
/** Which students a list shows of those who may be in it twice. */
const doubts = options('May be entered twice');
/** How a student comes to school; the answer is that of another feature. */
export const transportWays = options('By bus', 'Not by bus');
export const months = options(
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
);

/** The sections of a year, by default that of today, or of one grade of it, in which the reader sees students. */
export const sectionOptions = endpoint({
  method: 'GET',
  path: `${path}/section-option`,
  access: studentReaders,
  shows: ['section', 'grade', 'year', 'section-teacher'],
  input: z.object({ ...optionsInput, gradeId: optionalId, yearId: optionalId }),
  output: nameOptions,
});

/** The tags that students may have and the reader may see. */
export const studentTagOptions = endpoint({
  method: 'GET',
  path: `${path}/tag`,
  access: studentReaders,
  shows: ['tag', 'tag-group'],
  input: tagOptionsInput,
  output: nameOptions,
});

const place = {
  year: { label: text`Academic year`, to: namedBy(yearMaster) },
  grade: { label: text`Grade`, to: namedBy(gradeMaster) },
  branch: { label: text`Branch`, to: namedBy(branchMaster) },
};

const community = ['nationalityId', 'motherTongueId', 'religionId', 'casteCategoryId', 'bloodGroup'] as const;

export const studentList = defineList({
  name: 'student',
  path,
  singular: text`student`,
  plural: text`students`,
  access: studentReaders,
  shows: [...shows, 'tag', 'year'],
  columns: {
    name: { kind: 'text', label: text`Name`, isSorted: true },
    grNo: { kind: 'text', label: text`GR number`, head: text`GR`, isSorted: true, onPhone: 'away' },
    section: { kind: 'text', label: text`Section` },
    rollNo: { kind: 'number', label: text`Roll number`, head: text`Roll` },
    guardian: { kind: 'text', label: text`Guardian` },
    mobile: { kind: 'mobile', label: text`Mobile number`, head: text`Mobile` },
    age: { kind: 'number', label: text`Age`, onPhone: 'away' },
    ...columnsOf(studentRecord, ['houseId'], { onPhone: 'away' }),
    ...columnsOf(studentRecord, ['gender', 'birthDate', 'categoryId', ...community], { isAside: true }),
    tags: { kind: 'someText', label: text`Tags`, isAside: true },
    branch: { kind: 'text', label: text`Branch`, isAside: true },
    year: { kind: 'text', label: text`Academic year`, isAside: true },
    admittedOn: { kind: 'date', label: text`Admitted on`, isAside: true },
    status: { kind: 'oneOf', label: text`Status`, options: studentStatuses, onPhone: 'end' },
  },
  filters: {
    yearId: filterBy(place.year),
    gradeId: filterBy(place.grade),
    sectionId: { kind: 'ref', label: text`Section`, options: sectionOptions, narrowedBy: ['yearId', 'gradeId'] },
    branchId: filterBy(place.branch),
    ...filtersOf(studentRecord, 'categoryId', 'houseId', 'gender', ...community),
    tagId: { kind: 'ref', label: text`Tag`, options: studentTagOptions },
    transport: { kind: 'oneOf', label: text`Transport`, options: transportWays },
    birthMonth: { kind: 'oneOf', label: text`Birthday in`, options: months },
    missing: { kind: 'oneOf', label: text`Missing`, options: missing },
    doubt: { kind: 'oneOf', label: text`Double entry`, options: doubts },
  },
  tabs: {
    active: text`Active`,
    unplaced: text`Without a section`,
    joining: text`Joining`,
    left: text`Left`,
    all: text`All`,
  },
  extra: { picture: z.string() },
});
