import { sql } from 'kysely';
import { studentKeepers } from '#access/contract/grants.ts';
import { lookupsOf, readLocalLanguage } from '#features/school/api.ts';
import { AppError, fieldRefusal, staleMessage } from '#kit/contract/errors.ts';
import { type Entered, inactiveMessage } from '#kit/contract/field.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { columnsIn, columnsOf, toOutput, toRow, toWire } from '#kit/server/database/row-map.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { type ConstraintMessages, withConstraintMessages } from '#kit/server/master/constraint-messages.ts';
import { countHanging, hangingWords } from '#kit/server/record/added.ts';
import { changedFields, changesOf } from '#kit/server/record/changes.ts';
import { notFound, requireVersion } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import {
  adultFields,
  adultNameFields,
  guardianApi,
  guardian as guardianOutput,
  linkFields,
  relations,
} from '../../contract/guardian.ts';
import { familyReaders } from '../../contract/record.ts';
import { wordsOfTables } from '../identity/remove.ts';
import { readCareers } from '../person/career.ts';
import { requireStudent } from '../visible.ts';
import { alike, findAlike, refuseKnownNumber } from './known-adult.ts';
import { matchGuardians } from './match-guardians.ts';

const family: Handler<typeof guardianApi.family> = async (ctx, { id }) => {
  await requireStudent(ctx, id, familyReaders);
  const rows = await ctx.db
    .selectFrom('student_guardian as link')
    .innerJoin('guardian as adult', 'adult.id', 'link.guardian_id')
    .innerJoin('academic_lookup as relation', 'relation.id', 'link.relation_id')
    .where('link.student_id', '=', id)
    .select([...columnsIn('adult', adultFields), ...columnsIn('link', linkFields)])
    .select([
      'adult.id',
      'adult.name',
      'relation.name as relation',
      'link.version',
      'adult.version as adult_version',
      'link.is_primary',
    ])
    .select(
      sql<boolean>`exists (select from guardian other where other.id <> adult.id and other.merged_into_id is null
        and other.first_words[1] = any (adult.first_words || adult.last_words)
        and names_fit(adult.first_words, adult.last_words, other.first_words, other.last_words) = 2
        and ((adult.mobile <> '' and other.mobile = adult.mobile) or exists (select from student_guardian shared
          where shared.guardian_id = other.id and shared.student_id = link.student_id)))`.as('may_be_twice'),
    )
    .select([
      sql<string>`concat_ws(' · ', nullif(adult.occupation, ''), nullif(adult.organization, ''),
        (select name from academic_career where id = coalesce(adult.specialty_id, adult.sector_id)))`.as('work'),
      sql<string>`coalesce((select name from staff where id = adult.staff_id), '')`.as('works_here'),
    ])
    .select(
      sql<
        string[]
      >`array(select child.name from student_guardian other join student child on child.id = other.student_id
        where other.guardian_id = adult.id and other.student_id <> link.student_id order by child.sort_name, child.id)`.as(
        'also_of',
      ),
    )
    .orderBy('link.is_primary', 'desc')
    .orderBy('link.contact_order')
    .orderBy('link.id')
    .execute();
  return {
    guardians: rows.map((row) =>
      toOutput(guardianOutput, row, { saved: { ...toWire(adultFields, row), ...toWire(linkFields, row) } }),
    ),
    localLanguage: await readLocalLanguage(ctx),
  };
};

const barredRule = text`A barred adult isn’t called first, can’t collect children and gets no messages.`;
const rules: ConstraintMessages = {
  table: 'guardian',
  fields: {},
  constraintMessages: {
    student_guardian_once: { field: 'firstName', message: text`This adult is already linked to the child.` },
    student_guardian_primary_cares: {
      field: 'role',
      message: text`The adult who is called first is a parent or guardian, and not barred.`,
    },
    student_guardian_barred: { field: 'isBarred', message: barredRule },
    student_guardian_messages: { field: 'receivesMessages', message: text`A contact receives no messages.` },
    student_guardian_needs_primary: {
      field: 'role',
      message: text`Choose another adult to call first before this change.`,
    },
    student_guardian_most_children: {
      field: 'role',
      message: text`This adult already has 12 children here. Choose Contact for a warden or an institution.`,
    },
  },
};

/** Locks the child after the families, as every act on links does; throws `not_found`. */
async function lockFamily(ctx: UserContext, id: number) {
  await requireStudent(ctx, id, studentKeepers);
  await sql`select pg_advisory_xact_lock(hashtext('student_family'))`.execute(ctx.db);
  await ctx.db.selectFrom('student').where('id', '=', id).select('id').forUpdate().execute();
}

async function lockLink({ db }: UserContext, studentId: number, guardianId: number) {
  const row = await db
    .selectFrom('student_guardian as link')
    .innerJoin('guardian as adult', 'adult.id', 'link.guardian_id')
    .where('link.student_id', '=', studentId)
    .where('link.guardian_id', '=', guardianId)
    .select([...columnsIn('adult', adultFields), ...columnsIn('link', linkFields)])
    .select(['link.id', 'adult.name', 'link.version', 'adult.version as adult_version', 'link.is_primary'])
    .forUpdate()
    .executeTakeFirstOrThrow(notFound);
  return { ...row, saved: { ...toWire(adultFields, row), ...toWire(linkFields, row) } };
}

async function relationOf({ db }: UserContext, id: number): Promise<string> {
  const row = await db
    .selectFrom('academic_lookup')
    .where('id', '=', id)
    .where('kind', '=', 'Relation')
    .select('name')
    .executeTakeFirst();
  if (!row) throw fieldRefusal('relationId', inactiveMessage);
  return row.name;
}

const allFields = { ...adultFields, ...linkFields };

const add: Handler<typeof guardianApi.add> = async (ctx, { id, knownId, isNewAdult, ...given }) => {
  await requireStudent(ctx, id, studentKeepers);
  const relation = await relationOf(ctx, given.relationId);
  const [match] = await matchGuardians(ctx, [{ ...given, child: 0, relation }]);
  if (knownId !== null && match?.certain !== knownId) await requireOffered(ctx, knownId, given);
  if (knownId === null && match?.certain === undefined && !isNewAdult)
    await refuseKnownNumber(ctx, given.mobile, 'mobile');
  await lockFamily(ctx, id);
  const entered = await withCareer(ctx, given);
  return withConstraintMessages(ctx, rules, async () => {
    const knownAdult = knownId ?? match?.certain;
    const adult = knownAdult === undefined ? await addAdult(ctx, entered) : await fillAdult(ctx, knownAdult, entered);
    const first = await ctx.db
      .selectFrom('student_guardian')
      .where('student_id', '=', id)
      .where('is_primary', '=', true)
      .select('id')
      .executeTakeFirst();
    const mayBeFirst = entered.role !== 'Contact' && !entered.isBarred && !entered.isDeceased;
    await ctx.db
      .insertInto('student_guardian')
      .values({
        ...toRow(linkFields, entered),
        student_id: id,
        guardian_id: adult.id,
        is_primary: !first && mayBeFirst,
      })
      .execute();
    await audit(ctx, {
      action: 'student.guardian-added',
      entity: 'student',
      entityId: id,
      details: { ...adult.changes, ...changesOf(linkFields, undefined, entered) },
    });
    return { id: adult.id, known: adult.known, kept: adult.kept };
  });
};

/** Refuses an adult who was not offered for what is typed. */
async function requireOffered(ctx: UserContext, id: number, typed: Parameters<typeof findAlike>[1]) {
  if (!(await findAlike(ctx, typed)).some((adult) => adult.id === id))
    throw fieldRefusal('firstName', text`Choose the adult again.`);
}

/** With the sector of the specialty; refuses a specialty of another sector, and what is deactivated. */
async function withCareer<Some extends { sectorId: number | null; specialtyId: number | null }>(
  { db }: UserContext,
  entered: Some,
  before?: Pick<Some, 'sectorId' | 'specialtyId'>,
): Promise<Some> {
  const { sectorId, specialtyId } = entered;
  const rows = await db
    .selectFrom('academic_career')
    .where('id', 'in', [sectorId ?? 0, specialtyId ?? 0])
    .select(['id', 'sector_id', 'is_active'])
    .execute();
  const isOffered = (name: 'sectorId' | 'specialtyId') => {
    const row = rows.find(({ id }) => id === entered[name]);
    return row !== undefined && (row.is_active || before?.[name] === entered[name]);
  };
  for (const name of ['sectorId', 'specialtyId'] as const)
    if (entered[name] !== null && !isOffered(name)) throw fieldRefusal(name, inactiveMessage);
  const sectorOfIt = rows.find(({ id }) => id === specialtyId)?.sector_id ?? null;
  if (specialtyId !== null && sectorId !== null && sectorOfIt !== sectorId)
    throw fieldRefusal('specialtyId', text`Choose a specialty of this sector.`);
  return { ...entered, sectorId: sectorId ?? sectorOfIt };
}

type EnteredAdult = Entered<typeof adultFields>;

interface AddedAdult {
  id: number;
  /** The name of an adult who was known before; '' for a new one. */
  known: string;
  /** The labels of what a known adult has otherwise than entered. */
  kept: Text[];
  changes: Record<string, string>;
}

async function addAdult({ db }: UserContext, entered: EnteredAdult): Promise<AddedAdult> {
  const { id } = await db
    .insertInto('guardian')
    .values(toRow(adultFields, entered))
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, known: '', kept: [], changes: changesOf(adultFields, undefined, entered) };
}

/** Completes a known adult: what is stored stays, since it also counts for other children. */
async function fillAdult({ db }: UserContext, id: number, entered: EnteredAdult): Promise<AddedAdult> {
  const row = await db
    .selectFrom('guardian')
    .where('id', '=', id)
    .select([...columnsOf(adultFields), 'name'])
    .forUpdate()
    .executeTakeFirstOrThrow();
  const before = toWire(adultFields, row);
  const differing = changedFields(adultFields, before, entered).filter((name) => Boolean(entered[name]));
  const empty = differing.filter((name) => !before[name] && adultFields[name].kind !== 'yesNo');
  const filled = Object.fromEntries(empty.map((name) => [name, entered[name]])) as Partial<EnteredAdult>;
  if (empty.length > 0)
    await db
      .updateTable('guardian')
      .set({ ...toRow(adultFields, filled), version: sql`version + 1` })
      .where('id', '=', id)
      .execute();
  // The first and last names fit, or the adult would not be known; the answer names the adult.
  const kept = differing.filter((name) => !empty.includes(name) && !(name in adultNameFields));
  return {
    id,
    known: row.name,
    kept: kept.map((name) => adultFields[name].label),
    changes: { Name: row.name, ...changesOf(adultFields, before, { ...before, ...filled }) },
  };
}

const save: Handler<typeof guardianApi.save> = async (ctx, { id, guardian, version, adultVersion, ...given }) => {
  await lockFamily(ctx, id);
  const before = await lockLink(ctx, id, guardian);
  if (before.version !== version || before.adult_version !== adultVersion)
    throw new AppError('stale', staleMessage, {
      data: { version: before.version, adultVersion: before.adult_version, saved: before.saved },
    });
  const entered = await withCareer(ctx, given, before.saved);
  if (changedFields(allFields, before.saved, entered).length === 0) return {};
  await relationOf(ctx, entered.relationId);
  await withConstraintMessages(ctx, rules, async () => {
    if (changedFields(adultFields, before.saved, entered).length > 0)
      await ctx.db
        .updateTable('guardian')
        .set({ ...toRow(adultFields, entered), version: sql`version + 1` })
        .where('id', '=', guardian)
        .execute();
    if (changedFields(linkFields, before.saved, entered).length > 0)
      await ctx.db
        .updateTable('student_guardian')
        .set({ ...toRow(linkFields, entered), version: sql`version + 1` })
        .where('id', '=', before.id)
        .execute();
  });
  await audit(ctx, {
    action: 'student.guardian-changed',
    entity: 'student',
    entityId: id,
    details: { Name: before.name, ...changesOf(allFields, before.saved, entered) },
  });
  return {};
};

const instead: Handler<typeof guardianApi.instead> = async (ctx, { id, guardian, version, ...given }) => {
  await requireStudent(ctx, id, studentKeepers);
  const relation = await relationOf(ctx, given.relationId);
  const [match] = await matchGuardians(ctx, [{ ...given, child: 0, relation }]);
  await lockFamily(ctx, id);
  const before = await lockLink(ctx, id, guardian);
  requireVersion(before, version, { version: before.version, saved: before.saved });
  const entered = await withCareer(ctx, given);
  return withConstraintMessages(ctx, rules, async () => {
    const isOther = match?.certain !== undefined && match.certain !== guardian;
    const adult = isOther ? await fillAdult(ctx, match.certain ?? 0, entered) : await addAdult(ctx, entered);
    await ctx.db
      .updateTable('student_guardian')
      .set({ ...toRow(linkFields, entered), guardian_id: adult.id, version: sql`version + 1` })
      .where('id', '=', before.id)
      .execute();
    const name = [entered.firstName, entered.lastName].filter(Boolean).join(' ');
    await audit(ctx, {
      action: 'student.guardian-replaced',
      entity: 'student',
      entityId: id,
      details: { ...adult.changes, Name: `${before.name} → ${adult.known || name}` },
    });
    return { id: adult.id };
  });
};

/** Makes one adult of a child the one who is called first. */
async function setFirst({ db }: UserContext, id: number, guardianId: number) {
  await db
    .updateTable('student_guardian')
    .set({ is_primary: sql<boolean>`guardian_id = ${guardianId}`, version: sql`version + 1` })
    .where('student_id', '=', id)
    .where(sql<boolean>`is_primary is distinct from (guardian_id = ${guardianId})`)
    .execute();
}

const callFirst: Handler<typeof guardianApi.callFirst> = async (ctx, { id, guardian }) => {
  await lockFamily(ctx, id);
  const { name } = await lockLink(ctx, id, guardian);
  await withConstraintMessages(ctx, rules, () => setFirst(ctx, id, guardian));
  await audit(ctx, {
    action: 'student.guardian-first',
    entity: 'student',
    entityId: id,
    details: { Name: name },
  });
  return {};
};

/** What hangs on an adult besides the link to one child. */
async function hangsOn(ctx: UserContext, id: number, worksHere: boolean) {
  const counts = await countHanging(ctx, { guardian: sql`${id}::integer` });
  const others = [...counts].filter(([table, count]) => table !== 'student_guardian' || count > 1);
  const words = { ...wordsOfTables(ctx), student_guardian: text`Children of this adult` };
  return [...(worksHere ? [text`The record of a member of staff`] : []), ...hangingWords(others, words)];
}

const remove: Handler<typeof guardianApi.remove> = async (ctx, { id, guardian, version, nextId, isMistake }) => {
  await lockFamily(ctx, id);
  const before = await lockLink(ctx, id, guardian);
  requireVersion(before, version);
  const blocks = isMistake ? await hangsOn(ctx, guardian, before.saved.staffId !== null) : [];
  if (blocks.length > 0) return { blocks };
  await withConstraintMessages(ctx, rules, async () => {
    await ctx.db.deleteFrom('student_guardian').where('id', '=', before.id).execute();
    if (nextId !== null) {
      await lockLink(ctx, id, nextId);
      await setFirst(ctx, id, nextId);
    }
    if (isMistake) await ctx.db.deleteFrom('guardian').where('id', '=', guardian).execute();
  });
  await audit(ctx, {
    action: 'student.guardian-removed',
    entity: 'student',
    entityId: id,
    details: { Name: before.name, ...(isMistake && { Reason: 'Entered by mistake' }) },
  });
  return { blocks };
};

export const guardianRoutes = routes(guardianApi, {
  relations: lookupsOf(relations),
  sectors: ({ db }, input) => readCareers(db, false, input),
  specialties: ({ db }, input) => readCareers(db, true, input),
  alike,
  instead,
  family,
  add,
  save,
  remove,
  callFirst,
});
