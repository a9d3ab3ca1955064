import { type RawBuilder, sql, type Updateable } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { studentKeepers, studentReaders } from '#access/contract/grants.ts';
import type { Student } from '#database/types.ts';
import { lookupRoutes, readLocalLanguage } from '#features/school/api.ts';
import { isNoName, oneNameWords } from '#features/school/contract/one-name.ts';
import { AppError, problemMessage } from '#kit/contract/errors.ts';
import { type Fields, pick, type Stored } from '#kit/contract/field.ts';
import { text } from '#kit/contract/text.ts';
import type { ServedCard, UserContext } from '#kit/server/context.ts';
import { toOutput, toRow } from '#kit/server/database/row-map.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { refuseInactive } from '#kit/server/master/choices.ts';
import { type ConstraintMessages, withConstraintMessages } from '#kit/server/master/constraint-messages.ts';
import { changedFields, changesOf } from '#kit/server/record/changes.ts';
import { readFields } from '#kit/server/record/read-fields.ts';
import { notFound, requireVersion } from '#kit/server/record/version.ts';
import { grantedCards, readNext, readToday, requireCard, shownCard } from '#kit/server/record-cards.ts';
import { audit } from '#kit/server/security/audit.ts';
import { readHistory } from '#kit/server/security/history.ts';
import { grCorrectors } from '../../contract/gr-number.ts';
import { photoKeepers } from '../../contract/photo.ts';
import {
  aadhaarFields,
  aadhaarReaders,
  type alertLevels,
  choices,
  enrollment as enrolled,
  familyReaders,
  identityFields,
  personalFields,
  personalForm,
  studentRecord,
  studentRecordApi,
  timelineReaders,
} from '../../contract/record.ts';
import { readEntryLocks, refuseClosedEntries } from '../correction/entry-lock.ts';
import { placeSql, today } from '../enrolment/place.ts';
import { isSeen, partsSeen, requireStudent, standingAt, studentsSeen } from '../visible.ts';
import { readIdentity, revealAadhaar, sealAadhaar } from './aadhaar.ts';
import { allMissing } from './lacks.ts';
import { photoOf } from './photo.ts';

const { personal: personalGroup, identity: identityGroup } = studentRecord.groups;

const nameIn = (table: RawBuilder<unknown>, id: RawBuilder<unknown>) =>
  sql<string | null>`(select name from ${table} where id = ${id})`;

const waitingDocument = sql<string | null>`(select type.name from student_document own
  join academic_lookup type on type.id = own.document_id join file on file.id = own.file_id
  where own.student_id = student.id and own.status = 'Waiting' order by file.stored_at, own.id limit 1)`;

export const readStudentHead: Handler<typeof studentRecordApi.read> = async (ctx, { id: asked }) => {
  const { id, mergedFrom } = await keptRecord(ctx, asked);
  const { user } = ctx;
  const granted = grantedCards(ctx, 'student');
  const row = await studentsSeen(ctx, studentReaders)
    .where('student.id', '=', id)
    .select([
      'student.id',
      'student.version',
      'student.name',
      'student.last_name',
      'student.gr_no',
      'student.alert',
      'student.alert_level',
    ])
    .leftJoin('academic_grade as grade', 'grade.id', 'place.grade_id')
    .select(['student.left_on', 'student.family_id', 'student.photo_id', 'place.roll_no', 'grade.name as grade'])
    .select([
      standingAt(today(ctx)).status.as('status'),
      'place.name as place',
      'place.section_id',
      nameIn(sql`academic_branch`, sql`coalesce(place.branch_id, student.branch_id)`).as('branch'),
      nameIn(sql`academic_house`, sql`student.house_id`).as('house'),
      nameIn(sql`academic_lookup`, sql`student.category_id`).as('category'),
      nameIn(sql`staff`, sql`academic_class_teacher(place.section_id, place.as_of)`).as('class_teacher'),
      sql<boolean[]>`array[${sql.join([sql`true`, ...granted.map(({ card }) => isSeen(user, card.access))])}]`.as(
        'sees',
      ),
      isSeen(user, familyReaders).as('sees_family'),
      isSeen(user, timelineReaders).as('sees_all'),
      allMissing(user).as('missing'),
      'place.grade_id',
      isSeen(user, grCorrectors).as('may_correct_gr'),
      isSeen(user, studentKeepers).as('may_change'),
      waitingDocument.as('to_verify'),
      isSeen(user, photoKeepers).as('may_change_photo'),
    ])
    .executeTakeFirstOrThrow(notFound);
  return {
    id,
    mergedFrom,
    version: row.version,
    name: row.name,
    lastName: row.last_name,
    grNo: row.gr_no,
    alert: row.alert,
    alertLevel: row.alert_level as '' | (typeof alertLevels)[number],
    status: row.status,
    leftOn: row.left_on ?? '',
    branch: row.branch ?? '',
    grade: row.grade ?? '',
    section: (row.section_id !== null && row.place) || '',
    rollNo: row.roll_no,
    classTeacher: row.class_teacher ?? '',
    house: row.house ?? '',
    // It may say that a family pays nothing, which other teachers need not know.
    category: (row.sees_family && row.category) || '',
    gradeId: row.grade_id,
    ...(row.sees_all && { missing: row.missing }),
    ...(row.sees_family && { family: await readFamily(ctx, id, row.family_id) }),
    photo: photoOf(row.photo_id),
    cards: granted.filter((_, index) => row.sees[index + 1]).map(shownCard),
    toVerify: (row.may_change && row.to_verify) || '',
    may: { change: row.may_change, changePhoto: row.may_change_photo, correctGr: row.may_correct_gr },
  };
};

/** The record that is kept of a child who was entered twice; of every other one itself. */
async function keptRecord({ db }: UserContext, id: number) {
  const merged = await db
    .selectFrom('student')
    .where('id', '=', id)
    .where('merged_into_id', 'is not', null)
    .select(['merged_into_id', 'gr_no'])
    .executeTakeFirst();
  return { id: merged?.merged_into_id ?? id, mergedFrom: merged?.gr_no ?? '' };
}

/** The adult to call first, and the brothers and sisters who have not left. */
async function readFamily({ db, user, now }: UserContext, id: number, familyId: number) {
  const day = toLocalDate(now());
  const primary = await db
    .selectFrom('student_guardian as link')
    .innerJoin('guardian as adult', 'adult.id', 'link.guardian_id')
    .innerJoin('academic_lookup as relation', 'relation.id', 'link.relation_id')
    .where('link.student_id', '=', id)
    .where('link.is_primary', '=', true)
    .select(['adult.name', 'relation.name as relation', 'adult.mobile'])
    .executeTakeFirst();
  const others = await db
    .selectFrom('student')
    .leftJoinLateral(placeSql({ day, yearId: null }).as('place'), (join) => join.onTrue())
    .where('student.family_id', '=', familyId)
    .where('student.id', '<>', id)
    .where(sql<boolean>`coalesce(student.left_on >= ${day}, true)`)
    .select(['student.id', 'student.name', 'place.name as place', isSeen(user, studentReaders).as('is_seen')])
    .orderBy('student.birth_date')
    .orderBy('student.id')
    .execute();
  return {
    primary: primary ?? null,
    siblings: others.map((child) => ({
      id: child.is_seen ? child.id : null,
      name: child.name,
      section: child.place ?? '',
    })),
  };
}

const personal: Handler<typeof studentRecordApi.personal> = async (ctx, { id }) => {
  await requireStudent(ctx, id, personalGroup.read);
  const { closedOn = '' } = (await readEntryLocks(ctx, toLocalDate(ctx.now()), [id])).get(id) ?? {};
  const read = await readFields(ctx, 'student', personalForm, id);
  return { ...read, closedOn, localLanguage: await readLocalLanguage(ctx) };
};

const identity: Handler<typeof studentRecordApi.identity> = async (ctx, { id }) => {
  const seen = await studentsSeen(ctx, identityGroup.read)
    .where('student.id', '=', id)
    .select(['student.gr_no', isSeen(ctx.user, aadhaarReaders).as('reveals')])
    .executeTakeFirstOrThrow(notFound);
  const { version, saved } = await readIdentity(ctx, id);
  return { version, grNo: seen.gr_no, saved, may: { reveal: seen.reveals && saved.aadhaar !== '' } };
};

const enrollment: Handler<typeof studentRecordApi.enrollment> = async (ctx, { id }) => {
  await requireStudent(ctx, id, studentReaders);
  const student = await ctx.db
    .selectFrom('student')
    .where('id', '=', id)
    .select(['admitted_on', 'admitted_class'])
    .executeTakeFirstOrThrow();
  const rows = await ctx.db
    .selectFrom('student_enrollment as enrollment')
    .innerJoin('academic_year as year', 'year.id', 'enrollment.academic_year_id')
    .innerJoin('academic_branch as branch', 'branch.id', 'enrollment.branch_id')
    .innerJoin('academic_program as program', 'program.id', 'enrollment.program_id')
    .innerJoin('academic_grade as grade', 'grade.id', 'enrollment.grade_id')
    .where('enrollment.student_id', '=', id)
    .select(['enrollment.id', 'year.name as year', 'branch.name as branch', 'program.name as program'])
    .select(['grade.name as grade', 'enrollment.status', 'enrollment.admission_type', 'enrollment.joined_on'])
    .select(['enrollment.left_on'])
    .select((from) =>
      jsonArrayFrom(
        from
          .selectFrom('student_section as own')
          .innerJoin('academic_section as section', 'section.id', 'own.section_id')
          .innerJoin('academic_grade as room', 'room.id', 'section.grade_id')
          .whereRef('own.enrollment_id', '=', 'enrollment.id')
          .select(({ fn }) => fn<string>('academic_section_name', ['room.name', 'section.name']).as('name'))
          .select(['own.roll_no as rollNo', 'own.effective_from as from'])
          .select(sql<string>`coalesce(own.effective_to::text, '')`.as('until'))
          .orderBy('own.effective_from', 'desc'),
      ).as('sections'),
    )
    .orderBy('enrollment.joined_on', 'desc')
    .orderBy('enrollment.id', 'desc')
    .execute();
  return {
    admittedOn: student.admitted_on,
    admittedClass: student.admitted_class,
    enrollments: rows.map((row) => toOutput(enrolled, row, {})),
  };
};

const rules: ConstraintMessages = {
  table: 'student',
  fields: { ...personalFields, ...identityFields },
  constraintMessages: {
    student_admitted_after_birth: { field: 'birthDate', message: text`Choose a day before the admission.` },
    student_aadhaar_unique: { field: 'aadhaar', message: text`Another student has this Aadhaar number.` },
  },
};

interface Change<Some extends Fields> {
  id: number;
  version: number;
  fields: Some;
  /** Locks the student and reads what is stored. */
  read: () => Promise<{ version: number; saved: Stored<Some> }>;
  entered: Stored<Some>;
  row: (entered: Stored<Some>, before: Stored<Some>) => Updateable<Student>;
}

/** Saves a part of the record; refuses a change of an older version. */
async function saveStudent<Some extends Fields>(ctx: UserContext, change: Change<Some>) {
  const { id, version, fields, entered } = change;
  await requireStudent(ctx, id, studentKeepers);
  const before = await change.read();
  requireVersion(before, version, { version: before.version, saved: before.saved });
  const changed = changedFields(fields, before.saved, entered);
  if (changed.length === 0) return { version };
  await refuseClosedEntries(ctx, id, changed, before.saved);
  await refuseInactive(ctx, { fields }, pick(entered, ...changed));
  refuseNoNames(pick(entered, ...changed));
  await withConstraintMessages(ctx, rules, () =>
    ctx.db
      .updateTable('student')
      .set({ ...change.row(entered, before.saved), version: sql`version + 1` })
      .where('id', '=', id)
      .execute(),
  );
  await audit(ctx, {
    action: 'student.changed',
    entity: 'student',
    entityId: id,
    version: version + 1,
    details: changesOf(fields, before.saved, entered),
  });
  return { version: version + 1 };
}

/** Refuses signs in place of names. One that is stored already keeps nothing else from being saved. */
function refuseNoNames({ firstName = '', lastName = '' }: { firstName?: unknown; lastName?: unknown }) {
  const fields = {
    ...(isNoName(String(firstName)) && { firstName: oneNameWords.noName(String(firstName)) }),
    ...(isNoName(String(lastName)) && { lastName: oneNameWords.noLastName(String(lastName)) }),
  };
  if (Object.keys(fields).length > 0) throw new AppError('invalid', problemMessage, { fields });
}

const savePersonal: Handler<typeof studentRecordApi.savePersonal> = (ctx, { id, version, ...entered }) =>
  saveStudent(ctx, {
    id,
    version,
    fields: personalForm,
    entered,
    read: () => readFields(ctx, 'student', personalForm, id, { locks: true }),
    row: (values) => toRow(personalForm, values),
  });

const saveIdentity: Handler<typeof studentRecordApi.saveIdentity> = (ctx, { id, version, ...entered }) =>
  saveStudent(ctx, {
    id,
    version,
    fields: { ...identityFields, ...aadhaarFields },
    entered,
    read: async () => {
      await ctx.db.selectFrom('student').where('id', '=', id).select('id').forUpdate().execute();
      return readIdentity(ctx, id);
    },
    row: ({ aadhaar, ...values }, before) => ({
      ...toRow(identityFields, values),
      // A mask that is not changed keeps the number.
      ...(aadhaar !== before.aadhaar && sealAadhaar(ctx, id, aadhaar)),
    }),
  });

const card: Handler<typeof studentRecordApi.card> = async (ctx, { id, key, from, to }) => {
  const { access, read } = requireCard(ctx, 'student', key);
  await requireStudent(ctx, id, access);
  return read(ctx, id, { from, to });
};

/** The cards of the first part are first. */
const inPageOrder = ({ card: one }: ServedCard, { card: other }: ServedCard) =>
  Number(other.part === 'now') - Number(one.part === 'now') || one.order - other.order;

/** The cards with this part whose grants reach the student; throws `not_found` for a student out of reach. */
async function cardsSeen(ctx: UserContext, id: number, part: 'today' | 'next') {
  const cards = grantedCards(ctx, 'student')
    .filter((card) => card[part])
    .toSorted(inPageOrder);
  const seen = await partsSeen(
    ctx,
    id,
    cards.map(({ card }) => card.access),
  );
  return cards.filter(({ card }) => seen.includes(card.access));
}

const ofToday: Handler<typeof studentRecordApi.today> = async (ctx, { id }) =>
  readToday(ctx, await cardsSeen(ctx, id, 'today'), id);

const next: Handler<typeof studentRecordApi.next> = async (ctx, { id }) =>
  readNext(ctx, await cardsSeen(ctx, id, 'next'), id);

const history: Handler<typeof studentRecordApi.history> = async (ctx, input) => {
  await requireStudent(ctx, input.id, timelineReaders);
  return readHistory(ctx, 'student', input);
};

export const recordRoutes = [
  ...lookupRoutes(...Object.values(choices)),
  ...routes(studentRecordApi, {
    read: readStudentHead,
    personal,
    savePersonal,
    identity,
    saveIdentity,
    revealAadhaar,
    enrollment,
    card,
    today: ofToday,
    next,
    history,
  }),
];
