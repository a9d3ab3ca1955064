import { sql } from 'kysely';
import { type Field, type Fields, namesOf } from '#kit/contract/field.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toRow } from '#kit/server/database/row-map.ts';
import { shownInEnglish } from '#kit/server/record/changes.ts';
import { readFields } from '#kit/server/record/read-fields.ts';
import { open, seal } from '#kit/server/security/sealed.ts';
import type { EnrolmentChange, Merge } from '../../contract/hooks.ts';
import { identityFields, personalForm } from '../../contract/record.ts';
import { askOthers } from '../enrolment/ask-others.ts';
import { aadhaarPlace, saveAadhaars } from '../person/aadhaar.ts';
import { healthPlace } from '../person/health.ts';

/** The fields that a merge compares. Sealed ones are not shown, and the category changes from a day, by an act of its own. */
const mergedFields = { ...personalForm, ...identityFields };
type Name = keyof typeof mergedFields;
const names = Object.keys(mergedFields) as Name[];
/** No two students have the same of these. */
const unique: readonly Name[] = ['pen', 'apaar', 'udiseUid'];

interface Pair {
  keptId: number;
  retiredId: number;
}

/** The fields in which two records differ, in words. */
export async function differencesIn<const Some extends Fields>(
  ctx: UserContext,
  table: string,
  fields: Some,
  { keptId, retiredId }: Pair,
) {
  const kept = await readFields(ctx, table, fields, keptId);
  const retired = await readFields(ctx, table, fields, retiredId);
  const words = ({ saved, names: named }: typeof kept, name: keyof Some & string) =>
    saved[name] === '' || saved[name] === null ? '' : shownInEnglish(fields[name], saved[name], named[name]);
  return namesOf(fields)
    .filter((name) => (kept.saved[name] ?? '') !== (retired.saved[name] ?? ''))
    .map((name) => ({
      name,
      label: (fields[name] as Field).label,
      kept: words(kept, name),
      retired: words(retired, name),
    }));
}

export const differencesOf = (ctx: UserContext, pair: Pair) => differencesIn(ctx, 'student', mergedFields, pair);

const isEmpty = (value: unknown) => value === '' || value === null || value === undefined;

/**
 * The fields that the kept record gets from the other one, and all its fields afterwards: what it lacks is filled in,
 * and what a person chose is taken over. A name in local script goes with its name in English letters: Aarav’s is not
 * written under Arav.
 */
export function mergedOf<Name extends string, Saved extends Partial<Record<Name, unknown>>>(
  fields: readonly Name[],
  { kept, retired, chosen }: { kept: Saved; retired: Saved; chosen: readonly string[] },
): { taken: Name[]; merged: Saved } {
  const baseOf = (name: Name) => fields.find((other) => `${other}Local` === name);
  const isWanted = (name: Name) => !isEmpty(retired[name]) && (isEmpty(kept[name]) || chosen.includes(name));
  const isSame = (base: Name) => (kept[base] ?? '') === (retired[base] ?? '');
  const taken = fields.filter((name) => {
    const base = baseOf(name);
    return isWanted(name) && (!base || isSame(base) || isWanted(base) || chosen.includes(name));
  });
  const left = fields.filter((name) => {
    const base = baseOf(name);
    return base && !isSame(base) && taken.includes(base) && !taken.includes(name);
  });
  const values = [...taken.map((name) => [name, retired[name]]), ...left.map((name) => [name, ''])];
  return { taken, merged: { ...kept, ...Object.fromEntries(values) } };
}

/** Fills in what the kept record lacks, and takes over the fields that a person chose. */
export async function mergeFields(ctx: UserContext, { keptId, retiredId, choices }: Merge) {
  const { db } = ctx;
  const kept = await readFields(ctx, 'student', mergedFields, keptId);
  const retired = await readFields(ctx, 'student', mergedFields, retiredId);
  const { taken, merged } = mergedOf(names, { kept: kept.saved, retired: retired.saved, chosen: choices.taken });
  const given = unique.filter((name) => taken.includes(name));
  if (given.length > 0) {
    const emptied = { ...retired.saved, ...Object.fromEntries(given.map((name) => [name, ''])) };
    await db.updateTable('student').set(toRow(mergedFields, emptied)).where('id', '=', retiredId).execute();
  }
  if (taken.length > 0) {
    await db.updateTable('student').set(toRow(mergedFields, merged)).where('id', '=', keptId).execute();
  }
  await moveSealed(ctx, { keptId, retiredId });
  await sql`with own as (update student set photo_id = null where id = ${retiredId} and photo_id is not null
      and exists (select from student where id = ${keptId} and photo_id is null) returning id),
    was as (select photo_id from student where id = ${retiredId})
    update student set photo_id = was.photo_id from own, was where student.id = ${keptId}`.execute(db);
  return [taken, kept.version, retired.version];
}

/** The Aadhaar number and the health answers are sealed for their record: they are opened and sealed again. */
async function moveSealed(ctx: UserContext, { keptId, retiredId }: Pair) {
  const { db, keys } = ctx;
  const { rows } = await sql<{ aadhaar: Buffer | null; answers: Buffer | null }>`
    select case when kept.aadhaar is null then own.aadhaar end as aadhaar,
      case when not exists (select from student_health where student_id = ${keptId}) then
        (select answers from student_health where student_id = own.id) end as answers
    from student own, student kept where own.id = ${retiredId} and kept.id = ${keptId}`.execute(db);
  const { aadhaar = null, answers = null } = rows[0] ?? {};
  if (aadhaar) {
    const number = open(keys.data, aadhaarPlace(retiredId), aadhaar).toString();
    await db.updateTable('student').set({ aadhaar: null, aadhaar_hash: null }).where('id', '=', retiredId).execute();
    await saveAadhaars(ctx, [{ id: keptId, aadhaar: number }]);
  }
  if (!answers) return;
  const plain = open(keys.data, healthPlace(retiredId), answers);
  await db
    .insertInto('student_health')
    .values({ student_id: keptId, answers: seal(keys.data, healthPlace(keptId), plain.toString()) })
    .execute();
  await db.deleteFrom('student_health').where('student_id', '=', retiredId).execute();
}

/** Gives the adults of the record that ends to the kept one: a bar wins over every right, and the kept primary stays. */
export async function mergeAdults({ db }: UserContext, { keptId, retiredId }: Pair) {
  await sql`update student_guardian kept set is_barred = true, may_collect = false, receives_messages = false,
      is_primary = false, version = kept.version + 1,
      restriction = left(concat_ws('; ', nullif(kept.restriction, ''), nullif(other.restriction, '')), 300)
    from student_guardian other where other.student_id = ${retiredId} and other.guardian_id = kept.guardian_id
      and kept.student_id = ${keptId} and other.is_barred and not kept.is_barred`.execute(db);
  await sql`delete from student_guardian own where student_id = ${retiredId} and exists (
    select from student_guardian where student_id = ${keptId} and guardian_id = own.guardian_id)`.execute(db);
  const { rows } = await sql<{ name: string }>`with moved as (
      update student_guardian own set student_id = ${keptId}, version = own.version + 1,
        is_primary = own.is_primary and not exists (
          select from student_guardian where student_id = ${keptId} and is_primary)
      where student_id = ${retiredId} returning guardian_id)
    select name from guardian where id in (select guardian_id from moved) order by id`.execute(db);
  return rows.map(({ name }) => name);
}

/** Gives the rest of the record: address, earlier schools, documents, certificates and tags. */
export async function mergePapers({ db }: UserContext, { keptId, retiredId }: Pair) {
  await sql`update student_address set student_id = ${keptId} where student_id = ${retiredId}
    and not exists (select from student_address where student_id = ${keptId})`.execute(db);
  for (const table of ['student_schooling', 'student_document', 'student_certificate'] as const)
    await sql`update ${sql.table(table)} set student_id = ${keptId} where student_id = ${retiredId}`.execute(db);
  await sql`insert into tag_link (tag_id, entity_type, entity_id)
    select tag_id, 'Student', ${keptId} from tag_link where student_id = ${retiredId}
      and exists (select from configuration_tag where id = tag_id and 'Student' = any (scopes))
    on conflict do nothing`.execute(db);
  await db.deleteFrom('tag_link').where('student_id', '=', retiredId).execute();
}

interface Enrolled {
  id: number;
  studentId: number;
  yearId: number;
  year: string;
  grade: string;
  isClosed: boolean;
  isStanding: boolean;
  status: string;
  joinedOn: string;
  leftOn: string | null;
}

/**
 * A year that only the other record has goes to the kept one as it is, also a closed one. Where both have a year, the other
 * enrolment of an open year is cancelled, and that of a closed year stays, so that last year's counts do not change.
 */
export async function mergeYears(ctx: UserContext, { keptId, retiredId }: Pair) {
  const { db } = ctx;
  const { rows } = await sql<Enrolled>`
    select own.id, own.student_id as "studentId", own.academic_year_id as "yearId", year.name as year, grade.name as grade,
      year.status = 'Closed' as "isClosed", own.is_standing as "isStanding", own.status, own.joined_on as "joinedOn",
      own.left_on as "leftOn"
    from student_enrollment own join academic_year year on year.id = own.academic_year_id
    join academic_grade grade on grade.id = own.grade_id
    where own.student_id in (${keptId}, ${retiredId}) order by year.starts_on, own.id`.execute(db);
  const kept = rows.filter(({ studentId }) => studentId === keptId);
  const own = rows.filter(({ studentId }) => studentId === retiredId);
  const isShared = ({ yearId }: Enrolled) => kept.some((one) => one.yearId === yearId && one.isStanding);
  const moved = own.filter((one) => !isShared(one));
  const both = own.filter((one) => isShared(one) && one.isStanding);
  const cancelled = both.filter(({ isClosed }) => !isClosed);
  const changes = cancelled.map(
    ({ id, yearId, joinedOn }): EnrolmentChange => ({
      studentId: retiredId,
      enrollmentId: id,
      yearId,
      kind: 'cancelled',
      day: joinedOn,
    }),
  );
  // A leaving from which the child is back, as the years of the other record say.
  await sql`update student_leaving own set readmitted_on = back.day, version = own.version + 1
    from (select leaving.id, min(enrollment.joined_on) as day from student_leaving leaving
      join student_enrollment enrollment on enrollment.student_id in (${keptId}, ${retiredId})
        and enrollment.is_standing and enrollment.joined_on > leaving.last_day
      where leaving.student_id in (${keptId}, ${retiredId}) and leaving.undone_at is null and leaving.readmitted_on is null
      group by leaving.id) as back
    where own.id = back.id`.execute(db);
  const ids = sql`any(${cancelled.map(({ id }) => id)}::integer[])`;
  await sql`delete from student_section where enrollment_id = ${ids}`.execute(db);
  await sql`update student_enrollment set status = 'Cancelled', left_on = null where id = ${ids}`.execute(db);
  const others = await askOthers(ctx, changes);
  const movedIds = sql`any(${moved.map(({ id }) => id)}::integer[])`;
  await sql`update student_enrollment set student_id = ${keptId} where id = ${movedIds}`.execute(db);
  await sql`update student_leaving set student_id = ${keptId} where enrollment_id = ${movedIds}`.execute(db);
  const texts: Text[] = [
    ...moved
      .filter(({ isStanding }) => isStanding)
      .map(({ grade, year }) => text`${{ grade }}, ${{ year }}: goes to the kept record`),
    ...cancelled.map(
      ({ grade, year }) => text`${{ grade }}, ${{ year }} of the other record: cancelled, its seat is free`,
    ),
    ...both
      .filter(({ isClosed }) => isClosed)
      .map(({ grade, year }) => text`${{ grade }}, ${{ year }} of the other record: is closed and does not change`),
    ...others.texts,
  ];
  return {
    texts,
    blocks: others.blocks,
    count: {
      kept: kept.filter(({ isStanding }) => isStanding).length,
      moved: moved.filter((one) => one.isStanding).length,
    },
    basis: [rows.map(({ id, status, leftOn }) => [id, status, leftOn]), others.basis],
  };
}
