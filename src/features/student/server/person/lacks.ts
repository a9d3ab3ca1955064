import { type RawBuilder, sql } from 'kysely';
import type { User } from '#kit/server/context.ts';
import { missing } from '../../contract/list.ts';
import { familyReaders, identityReaders, studentRecord, timelineReaders } from '../../contract/record.ts';
import { isSeen } from '../visible.ts';

const localReaders = studentRecord.groups.local.read;

type Missing = (typeof missing)[number];

/** Whether a query's `student` lacks it; false where the user may not read it. */
export const lacks = (user: User, what: Missing): RawBuilder<boolean> => conditions[what](user);

const conditions: Record<Missing, (user: User) => RawBuilder<boolean>> = {
  Guardian: (user) => sql`(${isSeen(user, familyReaders)}
    and not exists (select from student_contact where student_id = student.id))`,
  'Mobile number': (user) => sql`(${isSeen(user, familyReaders)}
    and not exists (select from student_contact where student_id = student.id and mobile <> ''))`,
  Photo: () => sql`student.photo_id is null`,
  'Aadhaar number': (user) => sql`(${isSeen(user, identityReaders)} and student.aadhaar is null)`,
  PEN: (user) => sql`(${isSeen(user, identityReaders)} and student.pen = '')`,
  'APAAR ID': (user) => sql`(${isSeen(user, identityReaders)} and student.apaar = '')`,
  House: () => sql`student.house_id is null`,
  Category: () => sql`student.category_id is null`,
  Documents: (user) => sql`(${isSeen(user, timelineReaders)} and exists (select from academic_lookup type
    where ${isRequiredDocument} and ${lacksDocument(sql`student.id`)}))`,
  'Name in local script': (user) => sql`(${isSeen(user, localReaders)}
    and (student.first_name_local = '' or (student.last_name <> '' and student.last_name_local = '')))`,
};

/** Of a query's document `type`. Those that the admission form needs are needed here too. */
export const isRequiredDocument = sql<boolean>`(type.kind = 'Document' and type.is_active
  and type.name in ('Birth Certificate', 'Aadhar Card'))`;

/** Of a query's document `type`. */
export const lacksDocument = (student: RawBuilder<unknown>) =>
  sql<boolean>`not exists (select from student_document own where own.document_id = type.id
    and own.student_id = ${student} and own.status <> 'Rejected')`;

/** What the record lacks, for a user who may read all of it. Names in local script are looked for in the list. */
export const allMissing = (user: User) =>
  sql<Missing[]>`array_remove(array[${sql.join(
    missing
      .filter((what) => what !== 'Name in local script')
      .map((what) => sql`case when ${lacks(user, what)} then ${what} end`),
  )}]::text[], null)`;
