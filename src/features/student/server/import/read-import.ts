import { type RawBuilder, sql } from 'kysely';
import type * as z from 'zod/mini';
import { studentKeepers } from '#access/contract/grants.ts';
import { otherBranch, reachesBranch } from '#access/server/scope.ts';
import { isNoName, oneNameWords } from '#features/school/contract/one-name.ts';
import { aadhaarDigits, isAadhaar } from '#kit/contract/aadhaar.ts';
import { showDate } from '#kit/contract/day.ts';
import type { FieldErrors } from '#kit/contract/errors.ts';
import { type Named, namesOf, refsOf } from '#kit/contract/field.ts';
import { fieldErrors, isRealDate, normalMobile } from '#kit/contract/fields.ts';
import type { ImportRow } from '#kit/contract/import.ts';
import { type Text, text } from '#kit/contract/text.ts';
import { sameText } from '#kit/contract/typed.ts';
import type { User } from '#kit/server/context.ts';
import type { Database } from '#kit/server/database/database.ts';
import { columnsIn, toWire } from '#kit/server/database/row-map.ts';
import { twiceMessage } from '#kit/server/import/import-rows.ts';
import type { TableRow } from '#kit/server/import/parse-table.ts';
import { type Answers, answered } from '#kit/server/import/row-question.ts';
import { mapRows } from '#kit/server/map-rows.ts';
import { lookUpNames, type Names, readCell } from '#kit/server/master/cells.ts';
import { aadhaarKey, aadhaarMark, isMask } from '#kit/server/security/aadhaar.ts';
import type { Keys } from '#kit/server/security/keys.ts';
import { open } from '#kit/server/security/sealed.ts';
import { isEntry, registerNames } from '../../contract/correction.ts';
import type { guardianRoles } from '../../contract/guardian.ts';
import { adultNames, adultWords, childColumns, importedStudent, studentFile } from '../../contract/import.ts';
import { genderCodes } from '../../contract/record.ts';
import { readEntryLocks } from '../correction/entry-lock.ts';
import { placeSql } from '../enrolment/place.ts';
import { adultMessages } from '../family/add-adults.ts';
import { alikeStudents, childKeys, type NamedChild } from '../identity/alike.ts';
import { aadhaarPlace } from '../person/aadhaar.ts';
import { hasLeft, isSeen } from '../visible.ts';

export interface Reading {
  db: Database;
  keys: Keys;
  user: User;
  day: string;
}

type Values = z.infer<typeof importedStudent>;
export type ChildColumn = keyof typeof childColumns;
const childNames = namesOf(childColumns);
/** With the register's number they decide which child a row is about. */
const identifiers = ['udiseUid', 'pen', 'apaar'] as const;

/** An adult of a row. */
export interface NamedInFile {
  column: (typeof adultNames)[number];
  relation: string;
  firstName: string;
  lastName: string;
  mobile: string;
  email: string;
  isFirst: boolean;
  isDeceased: boolean;
  /** By the relation if absent. */
  role?: (typeof guardianRoles)[number];
  mayCollect: boolean;
  receivesMessages: boolean;
  /** The court order on a barred adult. */
  restriction?: string;
}

/** A student on record. */
export type KnownStudent = Awaited<ReturnType<typeof readKnown>>[number];

export interface StudentLine extends ImportRow {
  stored: Values;
  values: Values;
  adults: NamedInFile[];
  /** '' where the row says no other number than the child has. */
  newAadhaar: string;
  /** Adults whom the student on record does not have yet. */
  newAdults: NamedInFile[];
  place: EnrolmentPlace | undefined;
  before: KnownStudent | undefined;
  /** The students of whom the row's answer says that they are other children. */
  others: number[];
}

interface EnrolmentPlace {
  academicYearId: number;
  branchId: number;
  programId: number;
  gradeId: number;
  sectionId: number | null;
}

const needed = text`This field is required.`;

/**
 * Reads the rows of a file, and compares each with the child it is about. It decides for a preview and again at each
 * row's turn in the run, when only some of the rows are read.
 */
export async function readImport(
  ctx: Reading,
  table: readonly TableRow[],
  plan: Answers | undefined,
): Promise<StudentLine[]> {
  const names = await readNames(ctx);
  const places = await readPlaces(ctx);
  const typed = await mapRows(table, (row) => {
    const read = readRow(row, names);
    return { ...read, ...placeOf(ctx.user, places, read.entered) };
  });
  const known = await findKnown(ctx, typed);
  const seen = new Map<string, number>();
  const taken = new Map<number, number>();
  return mapRows(
    typed,
    ({ line, cells, entered: read, messages: wrong, displayName, place, problems }): StudentLine => {
      const messages: FieldErrors = { ...wrong };
      const branchId = place?.branchId ?? read.branchId;
      const numbered = known.byNumber(read.grNo, branchId);
      const alike = numbered ? [] : known.alike(line);
      const { number, person } = known.keyOf(line);
      const hasOneName = read.lastName === '' && read.firstName !== '';
      const exact = person && `${person}|${number}|${sameText(read.middleName)}`;
      const earlier = person && !numbered && !seen.has(exact) ? seen.get(person) : undefined;
      const asked =
        numbered && known.isAnother(line, read.birthDate, numbered)
          ? thisChild(numbered)
          : alike.length > 0
            ? sameOrOther(alike, branchId, hasOneName)
            : earlier !== undefined
              ? otherInFile(earlier, hasOneName)
              : hasOneName && !numbered
                ? oneNameOnly(cells)
                : undefined;
      const question = asked && answered(plan, line, asked);
      const [same] = question?.answer === 'same' ? (numbered ? [numbered] : alike) : [];
      const before = same ?? numbered;
      const entered = before ? { ...read, grNo: before.grNo } : read;
      const parsed = importedStudent.safeParse(before ? { ...entered, ...filledFrom(before, cells) } : entered);
      for (const [name, message] of Object.entries(parsed.error ? fieldErrors(parsed.error) : {}))
        messages[name] ??= message;
      const given = { ...entered, ...parsed.data } as Values;
      const values = { ...given, rollNo: typeof given.rollNo === 'number' ? given.rollNo : null };
      const adults = adultsOf(values, messages, places.relations);
      if (before) Object.assign(messages, { ...refusedFor(before, place, cells), ...messages });
      else {
        for (const [name, message] of Object.entries(problems)) messages[name] ??= message;
        if (values.admittedOn === '') messages.admittedOn ??= needed;
        else if (place && values.admittedOn > places.endsOn)
          messages.admittedOn ??= text`Choose a day in the academic year or before it.`;
        else if (values.birthDate !== '' && values.admittedOn <= values.birthDate)
          messages.admittedOn ??= text`Choose a day after the birth date.`;
        if (known.isSpent(values.grNo, place?.branchId)) messages.grNo ??= text`This GR number was used before.`;
        if (place && place.sectionId !== null) seat(places, place.sectionId, values.rollNo, taken, messages);
      }
      if (question && question.answer === undefined) messages[question.field] ??= question.text;
      for (const name of identifiers)
        if (known.isTaken(name, values[name], before?.id)) messages[name] ??= text`Another student has this number.`;
      for (const { field, key } of [...keysOf(values, place), { field: 'firstName', key: exact }]) {
        const twice = key === '' ? undefined : seen.get(key);
        if (twice) messages[field] ??= twiceMessage(twice);
        else seen.set(key, line);
      }
      if (!seen.has(person)) seen.set(person, line);
      const newAadhaar = before && isTheirs(ctx.keys, before, values.aadhaar) ? '' : values.aadhaar;
      if (known.hasAadhaar(values.aadhaar, before?.id))
        messages.aadhaar ??= text`Another student has this Aadhaar number.`;
      const newAdults = before ? adults.filter((adult) => !hasAdult(before, adult)) : [];
      const others = question?.answer === 'other' ? alike.map(({ id }) => id) : [];
      const found = { adults, newAadhaar, newAdults, place, before, others, ...(question && { question }) };
      const row = { line, displayName, values, stored: values, ...found };
      if (Object.keys(messages).length > 0) return { ...row, status: 'wrong', messages };
      if (!before) return { ...row, status: 'added', messages };
      const closed = closedCells(before, values, known.closedOn(before.id));
      for (const name of Object.keys(closed)) Object.assign(values, { [name]: before.saved[name as never] });
      const changed = childNames.filter((name) => values[name] !== before.saved[name]);
      const isSame = changed.length === 0 && newAdults.length === 0 && newAadhaar === '';
      return {
        ...row,
        status: isSame ? 'same' : 'changed',
        messages: { ...ledTo(before, read.grNo), ...unchangedOf(before, values, cells), ...closed },
      };
    },
  );
}

/** The row has the number of a record that has ended: it is about the one that is kept. */
const ledTo = ({ grNo }: KnownStudent, typed: string): FieldErrors =>
  typed === '' || sameText(typed) === sameText(grNo)
    ? {}
    : { grNo: text`GR ${{ typed }} was entered twice. The row is about GR ${{ number: grNo }}.` };

/** The register entries that are closed and differ: an import keeps them. */
function closedCells(before: KnownStudent, values: Values, closedOn: string): FieldErrors {
  if (closedOn === '') return {};
  const differing = registerNames.filter(
    (name) => isEntry(name, before.saved[name]) && values[name] !== before.saved[name],
  );
  return Object.fromEntries(
    differing.map((name) => [
      name,
      text`Not changed: closed since ${{ day: showDate(closedOn) }}. Correct the register entry on the record.`,
    ]),
  );
}

/** Cells that differ from the student on record and that an import does not change. */
function unchangedOf(before: KnownStudent, values: Values, cells: Record<string, string>): FieldErrors {
  const kept: FieldErrors = {};
  if (cells.rollNo && values.rollNo !== before.rollNo)
    kept.rollNo = text`Not changed: import roll numbers in Section Student Mapping.`;
  if (cells.admittedOn && values.admittedOn !== before.admittedOn)
    kept.admittedOn = text`Not changed: an import does not change the day of admission.`;
  for (const name of ['previousSchool', 'previousClass'] as const)
    if (cells[name] && !before.schools.some((school) => sameText(school[name]) === sameText(cells[name] ?? '')))
      kept[name] = text`Not changed: add previous schools on the record.`;
  if (cells.branchId && values.branchId !== before.branchId) kept.branchId = notMoved;
  if (cells.programId && values.programId !== before.programId) kept.programId = notMoved;
  return kept;
}
const notMoved = text`Not changed: move students in Section Student Mapping.`;

/** A row with the number of a child of another name and birth date: the cell may be wrong. */
const thisChild = ({ grNo, name, birthDate }: KnownStudent) => ({
  kind: 'number',
  field: 'grNo',
  text: text`GR ${{ number: grNo }} is ${{ name }}, born on ${{ day: showDate(birthDate) }}. Is the row about this child?`,
  choices: [{ key: 'same', label: text`This child` }],
});

/** A child who has the name and birth date of an earlier row with another number. */
const otherInFile = (line: number, hasOneName: boolean) => ({
  kind: 'twice',
  field: 'firstName',
  text: text`Line ${{ line }} of the file has this name and birth date.`,
  choices: [otherChild(hasOneName)],
});

/** The answer that it is another child says of a row without a last name too that none is missing. */
const otherChild = (hasOneName: boolean) => ({
  key: 'other',
  label: hasOneName ? text`Another child, with one name` : text`Another child`,
});

/** A new child without a last name: the column may be missing, or the papers carry one name. */
const oneNameOnly = ({ firstName = '', lastName = '' }: Record<string, string>) => ({
  kind: 'oneName',
  field: 'lastName',
  text: lastName
    ? text`“${{ typed: lastName }}” is no last name. Does ${{ name: firstName }} have one name only?`
    : text`The last name is empty. Does ${{ name: firstName }} have one name only?`,
  choices: [{ key: 'one', label: oneNameWords.label }],
});

/** Whether a row without a number is about the child of its name and birth date. Only a child it could change is offered. */
function sameOrOther(alike: readonly KnownStudent[], branchId: number | null, hasOneName: boolean) {
  const [first, ...others] = alike as [KnownStudent, ...KnownStudent[]];
  const isOffered =
    others.length === 0 && first.isSeen && !first.leftOn && (branchId === null || first.branchId === branchId);
  const number = first.grNo;
  const { name } = first;
  if (!first.isSeen)
    return {
      kind: 'child',
      field: 'grNo',
      text: text`A child of this name and birth date is at another branch. An Admin can check.`,
      choices: [otherChild(hasOneName)],
    };
  return {
    kind: 'child',
    field: 'grNo',
    text: first.leftOn
      ? text`This may be ${{ name }}, GR ${{ number }}, who left on ${{ day: showDate(first.leftOn) }}.`
      : text`This may be ${{ name }}, GR ${{ number }}. Is it the same child?`,
    choices: [...(isOffered ? [{ key: 'same', label: text`The same child` }] : []), otherChild(hasOneName)],
  };
}

interface Typed {
  line: number;
  cells: Record<string, string>;
  entered: Values;
  messages: FieldErrors;
  displayName: string;
}

/** The word of a file for a gender, in English and Gujarati. */
const genderWords: Record<string, string> = {
  m: 'Boy',
  male: 'Boy',
  boy: 'Boy',
  પુરુષ: 'Boy',
  છોકરો: 'Boy',
  કુમાર: 'Boy',
  f: 'Girl',
  female: 'Girl',
  girl: 'Girl',
  સ્ત્રી: 'Girl',
  છોકરી: 'Girl',
  કન્યા: 'Girl',
};

function readRow({ line, cells: given }: TableRow, names: Names): Typed {
  const gender = genderWords[sameText(given.gender ?? '')];
  const cells = gender ? { ...given, gender } : given;
  const messages: FieldErrors = {};
  const entered: Record<string, unknown> = {};
  for (const name of Object.keys(studentFile)) {
    const { value, problem } = readCell({ fields: studentFile }, name, cells[name] ?? '', names);
    entered[name] = value ?? (studentFile[name as keyof typeof studentFile].kind === 'ref' ? null : '');
    if (problem) messages[name] = problem;
  }
  if (messages.firstName === undefined && entered.firstName !== '' && isNoName(String(entered.firstName)))
    messages.firstName = oneNameWords.noName(String(entered.firstName));
  // A sign in place of a last name says that there is none.
  if (isNoName(String(entered.lastName))) entered.lastName = '';
  // A mask of an export says nothing.
  if (isMask(String(entered.aadhaar))) entered.aadhaar = '';
  const displayName = [cells.firstName, entered.lastName].filter(Boolean).join(' ').slice(0, 120) || (cells.grNo ?? '');
  return { line, cells, entered: entered as Values, messages, displayName };
}

/** The rows that columns may name. */
export const readNames = (ctx: Pick<Reading, 'db'>): Promise<Names> =>
  lookUpNames(
    ctx,
    refsOf({ fields: studentFile }).map(([name, { to }]): [string, Named] => [name, to as Named]),
  );

type Places = Awaited<ReturnType<typeof readPlaces>>;

/** The sections of the year of the day with their seats, and what stands in for an empty cell. */
async function readPlaces({ db, user, day }: Reading) {
  const year = await db
    .selectFrom('academic_year')
    .where('id', '=', sql<number>`academic_year_on(${day}::date)`)
    .select(['id', 'ends_on'])
    .executeTakeFirst();
  const { rows: sections } = await sql<Section>`
    select section.id, section.name, section.grade_id, section.branch_id, section.program_id, section.capacity,
      (select count(*)::integer from student_section own where own.section_id = section.id
        and coalesce(own.effective_to, 'infinity') >= ${day}::date) as strength,
      array(select own.roll_no from student_section own where own.section_id = section.id and own.roll_no is not null
        and coalesce(own.effective_to, 'infinity') >= ${day}::date) as rolls
    from academic_section section join academic_branch branch on branch.id = section.branch_id and branch.is_active
    where section.academic_year_id = ${year?.id ?? 0} and section.is_active`.execute(db);
  const active = async (table: 'academic_branch' | 'academic_program') =>
    (await db.selectFrom(table).where('is_active', '=', true).select('id').execute()).map(({ id }) => id);
  const relations = await db
    .selectFrom('academic_lookup')
    .where('kind', '=', 'Relation')
    .where('is_active', '=', true)
    .select('name')
    .execute();
  const branches = (await active('academic_branch')).filter((id) => reachesBranch(user, id));
  return {
    yearId: year?.id,
    endsOn: year?.ends_on ?? '',
    sections: Map.groupBy(sections, ({ grade_id, name }) => `${grade_id} ${sameText(name)}`),
    sectionAt: new Map(sections.map((section) => [section.id, { ...section, rolls: new Set(section.rolls) }])),
    onlyBranch: branches.length === 1 ? branches[0] : undefined,
    onlyProgram: onlyOf(await active('academic_program')),
    relations: new Map(relations.map(({ name }) => [sameText(name), name])),
  };
}

interface Section {
  id: number;
  name: string;
  grade_id: number;
  branch_id: number;
  program_id: number;
  capacity: number;
  strength: number;
  rolls: number[];
}

const onlyOf = (ids: readonly number[]) => (ids.length === 1 ? ids[0] : undefined);

/** Where a row's child sits, or waits for a section; else what the row lacks. */
function placeOf(user: User, places: Places, values: Values): { place?: EnrolmentPlace; problems: FieldErrors } {
  const { gradeId, section, branchId, programId } = values;
  if (places.yearId === undefined)
    return { problems: { '': text`No academic year is current. Make one current in the Academic Master.` } };
  if (branchId !== null && !reachesBranch(user, branchId)) return { problems: { branchId: otherBranch } };
  if (gradeId === null) return { problems: { gradeId: needed } };
  const academicYearId = places.yearId;
  if (section !== '') {
    const found = (places.sections.get(`${gradeId} ${sameText(section)}`) ?? []).filter(
      (one) =>
        reachesBranch(user, one.branch_id) &&
        (branchId === null || one.branch_id === branchId) &&
        (programId === null || one.program_id === programId),
    );
    const [only] = found;
    if (!only) return { problems: { section: text`This grade has no active section “${{ section }}”.` } };
    if (found.some((one) => one.branch_id !== only.branch_id))
      return { problems: { branchId: text`Several branches have this section. Enter the branch.` } };
    if (found.length > 1)
      return { problems: { programId: text`Several programs have this section. Enter the program.` } };
    const own = { branchId: only.branch_id, programId: only.program_id };
    return { place: { academicYearId, ...own, gradeId, sectionId: only.id }, problems: {} };
  }
  const [branch, program] = [branchId ?? places.onlyBranch, programId ?? places.onlyProgram];
  if (branch === undefined) return { problems: { branchId: needed } };
  if (program === undefined) return { problems: { programId: needed } };
  return { place: { academicYearId, branchId: branch, programId: program, gradeId, sectionId: null }, problems: {} };
}

/** Takes a seat and a roll number for a new child, or refuses the row. */
function seat(places: Places, id: number, rollNo: number | null, taken: Map<number, number>, messages: FieldErrors) {
  const section = places.sectionAt.get(id);
  if (!section) return;
  const count = (taken.get(id) ?? 0) + 1;
  taken.set(id, count);
  if (section.strength + count > section.capacity)
    messages.section ??= text`The section has ${{ capacity: section.capacity }} seats, and no free one for this row.`;
  if (rollNo !== null && section.rolls.has(rollNo)) messages.rollNo ??= text`Another student has this roll number.`;
}

/** What no other row of the file may have. */
function keysOf(values: Values, place: EnrolmentPlace | undefined) {
  const { grNo, rollNo } = values;
  const branch = place?.branchId ?? values.branchId ?? '';
  return [
    { field: 'grNo', key: grNo && `gr ${branch} ${sameText(grNo)}` },
    { field: 'rollNo', key: rollNo !== null && place?.sectionId ? `roll ${place.sectionId} ${rollNo}` : '' },
    ...identifiers.map((name) => ({ field: name, key: values[name] && `${name} ${values[name]}` })),
    { field: 'aadhaar', key: isAadhaar(values.aadhaar) ? `aadhaar ${aadhaarDigits(values.aadhaar)}` : '' },
  ].filter(({ key }) => key !== '');
}

/** The adults of a row. A first word is the first name, the last word of several the last name. */
function adultsOf(values: Values, messages: FieldErrors, relations: ReadonlyMap<string, string>): NamedInFile[] {
  const isIn = (words: string, name: (typeof adultNames)[number]) =>
    words.split(',').includes(adultWords[adultNames.indexOf(name)] ?? '');
  if (values.restriction !== '' && values.barred === '')
    messages.barred ??= text`Name the barred person, or leave the restriction empty.`;
  return adultNames.flatMap((name) => {
    const isFirst = isIn(values.callFirst, name);
    const isDeceased = isIn(values.deceased, name);
    const isBarred = isIn(values.barred, name);
    const [mobile, email] = [values[`${name}Mobile`], values[`${name}Email`]];
    const whole = isNoName(values[name]) ? '' : values[name];
    if (whole === '') {
      if (mobile !== '' || email !== '' || isFirst || isDeceased || isBarred) messages[name] ??= needed;
      return [];
    }
    const relation =
      name === 'father'
        ? 'Father'
        : name === 'mother'
          ? 'Mother'
          : relations.get(sameText(values.guardianRelation || 'Guardian'));
    if (!relation) {
      messages.guardianRelation ??= text`“${{ words: values.guardianRelation }}” does not exist.`;
      return [];
    }
    const words = whole.split(/\s+/).filter(Boolean);
    const lastName = words.length > 1 ? (words.at(-1) ?? '') : '';
    const firstName = (words.length > 1 ? words.slice(0, -1) : words).join(' ');
    if (firstName.length > 50 || lastName.length > 50)
      messages[name] ??= text`Use at most 50 characters for each name.`;
    const role = name === 'guardian' && values.guardianRole !== '' ? values.guardianRole : undefined;
    if (isFirst && (isDeceased || isBarred || role === 'Contact'))
      messages.callFirst ??= adultMessages.student_guardian_needs_primary.message;
    const { restriction } = values;
    const adult = { column: name, relation, firstName, lastName, mobile: mobile && normalMobile(mobile), email };
    const mayCollect = !isIn(values.mayNotCollect, name);
    const receivesMessages = !isIn(values.noMessages, name);
    const rights = { mayCollect, receivesMessages, ...(role && { role }), ...(isBarred && { restriction }) };
    return [{ ...adult, isFirst, isDeceased, ...rights }];
  });
}

const hasAdult = (before: KnownStudent, { firstName, lastName, mobile, email }: NamedInFile) =>
  before.adults.some(
    (adult) =>
      (mobile !== '' && adult.mobile === mobile) ||
      (email !== '' && adult.email.toLowerCase() === email.toLowerCase()) ||
      sameText(adult.name) === sameText(`${firstName} ${lastName}`.trim()),
  );

/** Whether a row has the child's own Aadhaar number, or none. */
const isTheirs = (keys: Keys, { id, aadhaar }: KnownStudent, value: string) =>
  value === '' ||
  (aadhaar !== null &&
    aadhaarMark(keys, open(keys.data, aadhaarPlace(id), aadhaar).toString()) === aadhaarMark(keys, value));

/** The child's own values where the row has none; a sign in place of a last name is none. */
const filledFrom = ({ saved }: KnownStudent, cells: Record<string, string>) =>
  Object.fromEntries(
    childNames
      .filter((name) => !cells[name] || (name === 'lastName' && isNoName(cells[name])))
      .map((name) => [name, saved[name]]),
  );

/** Refuses changes to a student on record that a file may not make. */
function refusedFor(
  before: KnownStudent,
  place: EnrolmentPlace | undefined,
  cells: Record<string, string>,
): FieldErrors {
  if (!before.isSeen) return { grNo: otherBranch };
  if (before.leftOn) return { grNo: text`Left on ${{ day: showDate(before.leftOn) }}. Re-admit the student first.` };
  const isElsewhere =
    (cells.section && place?.sectionId !== before.sectionId) ||
    (cells.gradeId && place && place.gradeId !== before.gradeId);
  return isElsewhere ? { section: text`Move students in Section Student Mapping.` } : {};
}

/** The children with the numbers of a file, and what else other children have. */
async function findKnown(ctx: Reading, rows: readonly (Typed & { place?: EnrolmentPlace })[]) {
  const { db } = ctx;
  const children = rows.map(({ entered, place }) => namedChild(entered, place));
  const keys = await childKeys(ctx, children);
  const keyAt = new Map(rows.map(({ line }, index) => [line, keys[index]]));
  const alike = await alikeStudents(ctx, children);
  const alikeAt = new Map(rows.map(({ line }, index) => [line, alike[index] ?? []]));
  const alikeIds = [...new Set(alike.flat().flatMap(({ id, isAsked }) => (isAsked ? [id] : [])))];
  const alikeOf = new Map(
    (alikeIds.length > 0 ? await readChildren(ctx, sql<boolean>`student.id = any(${alikeIds}::integer[])`) : []).map(
      (child) => [child.id, child],
    ),
  );
  const numbers = [...new Set(rows.flatMap(({ entered: { grNo } }) => (grNo ? [grNo.toLowerCase()] : [])))];
  const { rows: led } = await sql<{ number: string; branchId: number; id: number }>`
    select lower(gr_no) as number, branch_id as "branchId", merged_into_id as id from student
    where merged_into_id is not null and lower(gr_no) = any(${numbers}::text[])
    union
    select lower(spent.gr_no), spent.branch_id, coalesce(student.merged_into_id, student.id) from student_gr_spent spent
    join student on student.id = spent.student_id where lower(spent.gr_no) = any(${numbers}::text[])`.execute(db);
  const known = await readKnown(
    ctx,
    numbers,
    led.map(({ id }) => id),
  );
  const byNumber = Map.groupBy(known, ({ grNo }) => grNo.toLowerCase());
  for (const { number, branchId, id } of led)
    byNumber.set(number, [
      ...(byNumber.get(number) ?? []),
      ...known.filter((one) => one.id === id && one.branchId === branchId),
    ]);
  const spent = await db
    .selectFrom('student_gr_spent')
    .where(sql<boolean>`lower(gr_no) = any(${numbers}::text[])`)
    .select(['branch_id', 'gr_no'])
    .execute();
  const spentAt = new Set(spent.map(({ branch_id, gr_no }) => `${branch_id} ${gr_no.toLowerCase()}`));
  const valuesOf = (name: (typeof identifiers)[number]) => rows.map(({ entered }) => entered[name]).filter(Boolean);
  const { rows: holders } = await sql<{ id: number; udiseUid: string; pen: string; apaar: string }>`
    select id, udise_uid as "udiseUid", pen, apaar from student
    where (udise_uid <> '' and udise_uid = any(${valuesOf('udiseUid')}::text[]))
      or (pen <> '' and pen = any(${valuesOf('pen')}::text[]))
      or (apaar <> '' and apaar = any(${valuesOf('apaar')}::text[]))`.execute(db);
  const holderOf = new Map(
    holders.flatMap((holder) => identifiers.map((name) => [`${name} ${holder[name]}`, holder.id] as const)),
  );
  const hashes = rows.flatMap(({ entered }) => aadhaarKey(ctx.keys, entered.aadhaar)?.toString('hex') ?? []);
  const { rows: numbered } = await sql<{ id: number; hash: string }>`
    select id, encode(aadhaar_hash, 'hex') as hash from student
    where aadhaar_hash = any(select decode(hash, 'hex') from unnest(${hashes}::text[]) as hash)`.execute(db);
  const numberedAt = new Map(numbered.map(({ id, hash }) => [hash, id]));
  const locks = await readEntryLocks(ctx, ctx.day, [...known.map(({ id }) => id), ...alikeIds]);
  return {
    hasAadhaar: (value: string, id: number | undefined) => {
      const holder = numberedAt.get(aadhaarKey(ctx.keys, value)?.toString('hex') ?? '');
      return holder !== undefined && holder !== id;
    },
    /** Of the branch; without one, of the only branch that has the number. */
    byNumber: (grNo: string, branchId: number | null) => {
      const found = byNumber.get(grNo.toLowerCase()) ?? [];
      if (grNo === '') return undefined;
      return branchId === null
        ? onlyOne(found.filter(({ isSeen }) => isSeen))
        : found.find((one) => one.branchId === branchId);
    },
    keyOf: (line: number) => keyAt.get(line) ?? { number: '', person: '' },
    /** The children who may be that of a row. */
    alike: (line: number) =>
      (alikeAt.get(line) ?? []).flatMap(({ id, isAsked }) => (isAsked ? (alikeOf.get(id) ?? []) : [])),
    /** The row with the number of this child has another name and another birth date. */
    isAnother: (line: number, birthDate: string, { id, birthDate: own }: KnownStudent) =>
      birthDate !== '' && birthDate !== own && (alikeAt.get(line) ?? []).some((one) => one.id === id && !one.isAsked),
    closedOn: (id: number) => locks.get(id)?.closedOn ?? '',
    isSpent: (grNo: string, branchId: number | undefined) => spentAt.has(`${branchId} ${grNo.toLowerCase()}`),
    isTaken: (name: (typeof identifiers)[number], value: string, id: number | undefined) => {
      const holder = value ? holderOf.get(`${name} ${value}`) : undefined;
      return holder !== undefined && holder !== id;
    },
  };
}

const onlyOne = <One>(found: readonly One[]): One | undefined => (found.length === 1 ? found[0] : undefined);

const readKnown = (ctx: Reading, numbers: readonly string[], ids: readonly number[]) =>
  readChildren(
    ctx,
    sql<boolean>`student.merged_into_id is null and (lower(student.gr_no) = any(${numbers}::text[])
      or student.id = any(${ids}::integer[]))`,
  );

/** A row's child, as children are compared. */
const namedChild = (entered: Values, place: EnrolmentPlace | undefined): NamedChild => ({
  firstName: entered.firstName,
  lastName: entered.lastName,
  gender: entered.gender in genderCodes ? genderCodes[entered.gender] : '',
  birthDate: isRealDate(entered.birthDate) ? entered.birthDate : '',
  grNo: entered.grNo,
  branchId: place?.branchId ?? entered.branchId,
  mobiles: adultNames.flatMap((name) => {
    const mobile = normalMobile(entered[`${name}Mobile`]);
    return mobile === '' ? [] : [mobile];
  }),
});

async function readChildren({ db, user, day }: Reading, isWanted: RawBuilder<boolean>) {
  const rows = await db
    .selectFrom('student')
    .leftJoinLateral(placeSql({ day, yearId: null }).as('place'), (join) => join.onTrue())
    .where(isWanted)
    .select([
      'student.id',
      'student.version',
      'student.name',
      'student.birth_date',
      'student.gr_no',
      'student.branch_id',
      'student.left_on',
      'student.admitted_on',
      'place.roll_no',
      'place.program_id',
    ])
    .select(
      sql<{ previousSchool: string; previousClass: string }[]>`coalesce((
        select json_agg(json_build_object('previousSchool', own.school, 'previousClass', own.to_class))
        from student_schooling own where own.student_id = student.id), '[]'::json)`.as('schools'),
    )
    .select([...columnsIn('student', childColumns), 'student.aadhaar', 'place.section_id', 'place.grade_id'])
    .select([isSeen(user, studentKeepers).as('is_seen'), hasLeft(day).as('has_left')])
    .select(
      sql<{ name: string; mobile: string; email: string }[]>`coalesce((
        select json_agg(json_build_object('name', adult.name, 'mobile', adult.mobile, 'email', adult.email))
        from student_guardian link join guardian adult on adult.id = link.guardian_id
        where link.student_id = student.id), '[]'::json)`.as('adults'),
    )
    .execute();
  return rows.map((row) => ({
    id: row.id,
    version: row.version,
    name: row.name,
    birthDate: row.birth_date,
    grNo: row.gr_no,
    branchId: row.branch_id,
    sectionId: row.section_id,
    gradeId: row.grade_id,
    leftOn: row.has_left ? (row.left_on ?? '') : '',
    admittedOn: row.admitted_on,
    rollNo: row.roll_no,
    programId: row.program_id,
    schools: row.schools,
    isSeen: row.is_seen,
    adults: row.adults,
    aadhaar: row.aadhaar,
    saved: toWire(childColumns, row),
  }));
}

/** What a row that was confirmed can no longer be done for. */
export const reasonOf = (messages: ImportRow['messages']): Text | undefined => Object.values(messages)[0];
