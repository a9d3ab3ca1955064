import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { reachesBranch } from '#access/server/scope.ts';
import { lockYearForShare } from '#features/calendar/api.ts';
import { rightsOnDay } from '#features/teaching/api.ts';
import { fieldRefusal } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { withConstraintMessages } from '#kit/server/master/constraint-messages.ts';
import { notify } from '#kit/server/messages/notifications.ts';
import { auditAll } from '#kit/server/security/audit.ts';
import { settingValue } from '#kit/server/settings.ts';
import { type noteApi, noteMessages } from '../contract/note.ts';
import type { Reach } from '../contract/words.ts';
import { refuseForeign, writeEvidence, writeRatings } from './ratings.ts';
import { isReader } from './readers.ts';
import { sealNote, sealPlace } from './sealed.ts';
import { editHours } from './settings.ts';
import { findType } from './type.ts';

/** The messages of what the database refuses of a note. */
export const noteRules = {
  table: 'observation_note',
  fields: {},
  constraintMessages: {
    observation_note_not_here: { field: 'day', message: noteMessages.notHere },
    observation_note_future: { field: 'time', message: noteMessages.future },
    observation_note_locked: { field: 'note', message: noteMessages.locked },
    observation_note_restricted: { field: 'reach', message: noteMessages.restrictedRatings },
    student_skill_evidence_stage: { field: 'skills', message: noteMessages.otherSkill },
    student_skill_evidence_of_note: { field: 'skills', message: text`Choose each skill once.` },
  },
};

interface StudentOnDay {
  student_id: number;
  enrollment_id: number;
  academic_year_id: number;
  branch_id: number;
  program_id: number;
  grade_id: number;
  section_id: number | null;
  sectionToday: number | null;
  branchToday: number | null;
}

/** Where the students were on the day; refuses students who were not here, and those whom the user may not observe. */
async function findPlaces(ctx: UserContext, studentIds: readonly number[], day: string): Promise<StudentOnDay[]> {
  const { db, user } = ctx;
  const today = toLocalDate(ctx.now());
  // Against a student who leaves or moves at the same time.
  await sql`select from student_enrollment where student_id = any(${[...studentIds]}::integer[]) order by id for share`.execute(
    db,
  );
  const { rows } = await sql<StudentOnDay>`
    select there.student_id, there.enrollment_id, there.academic_year_id, there.branch_id, there.program_id, there.grade_id,
      there.section_id, now_there.section_id as "sectionToday", now_there.branch_id as "branchToday"
    from student_on(${day}) there left join student_on(${today}) now_there on now_there.student_id = there.student_id
    where there.student_id = any(${[...studentIds]}::integer[]) order by there.student_id`.execute(db);
  const keeps = user.sets.includes('principal') || user.sets.includes('counsellor');
  const then = day === today ? user.scope : await rightsOnDay(ctx, day);
  const own = new Set([...then.led, ...then.taught]);
  const ownToday = new Set([...user.scope.led, ...user.scope.taught]);
  const isMine = (place: StudentOnDay) =>
    own.has(place.section_id ?? 0) ||
    ownToday.has(place.sectionToday ?? 0) ||
    (keeps && (reachesBranch(user, place.branch_id) || reachesBranch(user, place.branchToday)));
  // A student of others answers as one who does not exist.
  const isWhole = rows.length === studentIds.length;
  if (rows.some((place) => !isMine(place)) || (!isWhole && !(await areAllMine(ctx, studentIds, rows))))
    throw fieldRefusal('studentIds', noteMessages.notYours);
  if (!isWhole) throw fieldRefusal('day', noteMessages.notHere);
  return rows;
}

/** Whether the students without a place on the day are those of the user today. */
async function areAllMine(
  { db, user, now }: UserContext,
  studentIds: readonly number[],
  found: readonly StudentOnDay[],
) {
  const others = studentIds.filter((id) => !found.some(({ student_id }) => student_id === id));
  const keeps = user.sets.includes('principal') || user.sets.includes('counsellor');
  const { rows } = await sql<{ section_id: number | null; branch_id: number }>`
    select section_id, branch_id from student_on(${toLocalDate(now())}) there
    where student_id = any(${others}::integer[])`.execute(db);
  const sections = [...user.scope.led, ...user.scope.taught];
  return (
    rows.length === others.length &&
    rows.every(
      ({ section_id, branch_id }) => sections.includes(section_id ?? 0) || (keeps && reachesBranch(user, branch_id)),
    )
  );
}

export const momentOf = (day: string, time: string) => new Date(`${day}T${time}:00+05:30`);

export const publish: Handler<typeof noteApi.publish> = async (ctx, input) => {
  const { db, user } = ctx;
  const { typeId, day, time, polarity, place, note, ratings, skills } = input;
  const reach = input.reach as Reach;
  const studentIds = [...new Set(input.studentIds)].toSorted((one, other) => one - other);
  const type = await findType(ctx, typeId);
  const { rubric } = type;
  if (rubric && reach === 'Restricted') throw fieldRefusal('reach', noteMessages.restrictedRatings);
  if (rubric && ratings.length === 0) throw fieldRefusal('ratings', noteMessages.unrated);
  if (rubric) refuseForeign(rubric, ratings);
  const now = ctx.now();
  const observedAt = momentOf(day, time);
  if (observedAt > now) throw fieldRefusal('time', noteMessages.future);
  const places = await findPlaces(ctx, studentIds, day);
  for (const yearId of new Set(places.map(({ academic_year_id }) => academic_year_id)))
    await lockYearForShare(ctx, yearId);
  if (input.actionId !== null && !(await mayOwn(ctx, input.ownerId, studentIds, reach)))
    throw fieldRefusal('ownerId', noteMessages.noReader);

  const ids = await withConstraintMessages(ctx, noteRules, async () => {
    const made = await insertNotes(ctx, places, {
      typeId,
      polarity: String(polarity),
      place,
      subjectId: input.subjectId,
      note,
      reach,
      observedAt,
      rubric,
    });
    await writeRatings(ctx, made, rubric, rubric ? ratings : []);
    await writeEvidence(ctx, made, skills);
    return made;
  });
  if (input.actionId !== null) await addFollowUps(ctx, ids, input);
  if (input.draftId !== null)
    await db
      .deleteFrom('observation_draft')
      .where('id', '=', input.draftId)
      .where('author_id', '=', user.staffId)
      .execute();
  await auditAll(
    ctx,
    ids.map((id) => ({
      action: 'observation.published',
      entity: 'observation_note',
      entityId: id,
      version: 1,
      details: { Type: type.name, Readers: reach },
    })),
  );
  return { ids };
};

interface NewNote {
  typeId: number | null;
  polarity: string;
  place: string;
  subjectId: number | null;
  note: string;
  reach: Reach;
  observedAt: Date;
  rubric: { id: number; scaleId: number } | null;
}

/** One note for each student, in one statement; restricted texts are sealed to their rows. */
async function insertNotes(ctx: UserContext, places: readonly StudentOnDay[], draft: NewNote): Promise<number[]> {
  const { db, user } = ctx;
  const now = ctx.now();
  const isRestricted = draft.reach === 'Restricted';
  const { rows: numbers } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence('observation_note', 'id'))::integer as id
    from generate_series(1, ${places.length}::integer)`.execute(db);
  const ids = numbers.map(({ id }) => id);
  const columnOf = (name: keyof StudentOnDay) => places.map((place) => place[name]);
  await sql`
    insert into observation_note (id, group_id, type_id, enrollment_id, student_id, academic_year_id, branch_id, program_id,
      grade_id, section_id, subject_id, observed_at, polarity, place, place_sealed, note, note_sealed, reach, rubric_version_id, scale_id, author_id,
      published_at, locks_at, changed_at)
    overriding system value
    select of_place.id, ${randomUUID()}::uuid, ${draft.typeId}, enrollment_id, student_id, academic_year_id, branch_id, program_id,
      grade_id, section_id, ${draft.subjectId}::integer, ${draft.observedAt}::timestamptz, ${draft.polarity},
      ${isRestricted ? '' : draft.place}, place_sealed,
      ${isRestricted ? null : draft.note}, note_sealed, ${draft.reach}, ${draft.rubric?.id ?? null}::integer,
      ${draft.rubric?.scaleId ?? null}::integer, ${user.staffId}, ${now}::timestamptz,
      ${now}::timestamptz + make_interval(hours => ${settingValue(editHours)}), ${now}::timestamptz
    from unnest(${ids}::integer[], ${columnOf('enrollment_id')}::integer[], ${columnOf('student_id')}::integer[],
      ${columnOf('academic_year_id')}::integer[], ${columnOf('branch_id')}::integer[], ${columnOf('program_id')}::integer[],
      ${columnOf('grade_id')}::integer[], ${columnOf('section_id')}::integer[],
      ${ids.map((id) => (isRestricted ? sealNote(ctx, id, draft.note) : null))}::bytea[],
      ${ids.map((id) => (isRestricted ? sealPlace(ctx, id, draft.place) : null))}::bytea[])
      as of_place (id, enrollment_id, student_id, academic_year_id, branch_id, program_id, grade_id, section_id, note_sealed,
        place_sealed)
    order by of_place.id`.execute(db);
  return ids;
}

/** A follow-up belongs to its author, or to a reader of the note. */
export const mayOwn = async (ctx: UserContext, ownerId: number | null, studentIds: readonly number[], reach: Reach) =>
  ownerId !== null && (ownerId === ctx.user.staffId || (await isReader(ctx, ownerId, studentIds, reach)));

interface FollowUpDraft {
  actionId: number | null;
  ownerId: number | null;
  dueOn: string;
}

export async function addFollowUps(ctx: UserContext, noteIds: readonly number[], draft: FollowUpDraft) {
  const { rows } = await sql<{ id: number }>`
    insert into observation_follow_up (note_id, action_id, owner_id, due_on)
    select note, action.id, ${draft.ownerId}, ${draft.dueOn}::date
    from unnest(${[...noteIds]}::integer[]) as note, observation_action action
    where action.id = ${draft.actionId} and action.is_active returning id`.execute(ctx.db);
  if (rows.length < noteIds.length) throw fieldRefusal('actionId', text`Choose another action.`);
  if (draft.ownerId !== null) await tellOwner(ctx, draft.ownerId);
  return rows.map(({ id }) => id);
}

/** The bell names no student (decision 0082). */
export const tellOwner = (ctx: UserContext, ownerId: number) =>
  notify(ctx, {
    kind: 'observation.follow-up',
    text: text`You have a follow-up of an observation.`,
    path: '/school-erp/student-observation/student-observation-list?tab=followUps',
    key: 'observation.follow-up',
    to: { staff: [ownerId] },
  });
