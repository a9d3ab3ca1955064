import { type RawBuilder, sql } from 'kysely';
import { relieveHook } from '#features/staff/contract/hooks.ts';
import { type EnrolmentChange, enrolmentHook } from '#features/student/contract/hooks.ts';
import { text } from '#kit/contract/text.ts';
import type { ActingContext, Context } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { answer } from '#kit/server/hook.ts';
import { isOpenOn } from '#kit/server/security/open-account.ts';

interface Moved {
  id: number;
  version: number;
  ownerId: number;
  studentId: number;
  heirId: number | null;
}

/** The counsellor of the student’s branch, or else the principal; `first` comes before both. */
const heirOf = (
  today: string,
  without: RawBuilder<number | null>,
  first = sql`null::integer`,
) => sql<number>`coalesce(${first},
  (select account.staff_id from sign_in_account account
    where account.is_staff and account.sets && '{counsellor,principal}' and ${isOpenOn(today)}
      and account.staff_id is distinct from ${without}
      and (not exists (select from sign_in_account_branch where account_id = account.id)
        or exists (select from sign_in_account_branch where account_id = account.id and branch_id = note.branch_id))
    order by 'counsellor' = any(account.sets) desc, account.id limit 1))`;

/** Gives open follow-ups to their heirs, in order of their ids; without an heir they stay. */
async function handOver({ db }: Pick<Context, 'db'>, found: readonly Moved[]) {
  const moved = found.filter(({ heirId, ownerId }) => heirId !== null && heirId !== ownerId);
  await sql`update observation_follow_up own set owner_id = new.owner, version = own.version + 1
    from unnest(${moved.map(({ id }) => id)}::integer[], ${moved.map(({ heirId }) => heirId)}::integer[]) as new (id, owner)
    where own.id = new.id`.execute(db);
  return moved;
}

const leavingOf = (changes: readonly EnrolmentChange[]) =>
  changes.flatMap(({ kind, studentId }) => (kind === 'left' || kind === 'cancelled' ? [studentId] : []));

/** The open follow-ups of students who leave, and those that return with a student. */
async function lockOfStudents({ db }: ActingContext, changes: readonly EnrolmentChange[]) {
  const back = changes.flatMap(({ kind, kept }) => (kind === 'back' ? ((kept?.observation ?? []) as Moved[]) : []));
  await sql`select from observation_follow_up own join observation_note note on note.id = own.note_id
    where own.closed_on is null and (note.student_id = any(${leavingOf(changes)}::integer[])
      or own.id = any(${back.map(({ id }) => id)}::integer[])) order by own.id for update of own`.execute(db);
}

/** Open follow-ups of a student who leaves go to the counsellor, and return with the student. */
export const moveStudentFollowUps = answer(
  enrolmentHook,
  { by: 'observation', step: 11, lock: lockOfStudents },
  async (ctx, changes) => {
    const today = toLocalDate(ctx.now());
    const leaving = leavingOf(changes);
    const { rows } = await sql<Moved>`
    select own.id, own.version, own.owner_id as "ownerId", note.student_id as "studentId",
      ${heirOf(today, sql`null`)} as "heirId"
    from observation_follow_up own join observation_note note on note.id = own.note_id
    where own.closed_on is null and note.student_id = any(${leaving}::integer[]) order by own.id`.execute(ctx.db);
    const moved = await handOver(ctx, rows);
    for (const { kind, kept } of changes) {
      const back = kind === 'back' ? ((kept?.observation ?? []) as Moved[]) : [];
      if (back.length === 0) continue;
      await sql`update observation_follow_up own set owner_id = former.owner, version = own.version + 1
      from unnest(${back.map(({ id }) => id)}::integer[], ${back.map(({ ownerId }) => ownerId)}::integer[],
        ${back.map(({ heirId }) => heirId)}::integer[]) as former (id, owner, heir)
      where own.id = former.id and own.closed_on is null and own.owner_id = former.heir`.execute(ctx.db);
    }
    return {
      texts: moved.length > 0 ? [text`Open follow-ups that go to the counsellor: ${{ count: moved.length }}.`] : [],
      blocks: [],
      basis: rows.map(({ id, version }) => [id, version]),
      kept: Object.fromEntries(
        changes.flatMap(({ enrollmentId, studentId, kind }) => {
          const own = moved.filter((one) => one.studentId === studentId);
          return own.length > 0 && (kind === 'left' || kind === 'cancelled') ? [[enrollmentId, own]] : [];
        }),
      ),
    };
  },
);

const lockOfStaff = ({ db }: ActingContext, { staffId }: { staffId: number }) =>
  sql`select from observation_follow_up where closed_on is null and owner_id = ${staffId} order by id for update`.execute(
    db,
  );

/** Open follow-ups of a colleague who leaves go to the student’s class teacher, or else to the counsellor. */
export const moveStaffFollowUps = answer(
  relieveHook,
  { by: 'observation', step: 11, lock: lockOfStaff },
  async (ctx, { staffId }) => {
    const today = toLocalDate(ctx.now());
    const teacher = sql`nullif(academic_class_teacher((select section_id from student_on(${today}) there
    where there.student_id = note.student_id limit 1), ${today}), ${staffId}::integer)`;
    const { rows } = await sql<Moved>`
    select own.id, own.version, own.owner_id as "ownerId", note.student_id as "studentId",
      ${heirOf(today, sql`${staffId}::integer`, teacher)} as "heirId"
    from observation_follow_up own join observation_note note on note.id = own.note_id
    where own.closed_on is null and own.owner_id = ${staffId} order by own.id`.execute(ctx.db);
    const { rows: drafts } = await sql<{ count: number }>`
    select count(*)::integer as count from observation_draft where author_id = ${staffId}`.execute(ctx.db);
    const moved = await handOver(ctx, rows);
    const [held] = drafts;
    return {
      ends: [
        ...(moved.length > 0
          ? [text`Follow-ups of observations that get another owner: ${{ count: moved.length }}.`]
          : []),
        ...(held && held.count > 0
          ? [text`Drafts of observations, deleted after 30 days: ${{ count: held.count }}.`]
          : []),
      ],
      blocks: [],
      basis: rows.map(({ id, version }) => [id, version]),
    };
  },
);
