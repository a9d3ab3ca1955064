import { sql } from 'kysely';
import { firstContacts, tellGuardians } from '#features/family/api.ts';
import { householdsOf } from '#features/student/api.ts';
import { enrolmentHook } from '#features/student/contract/hooks.ts';
import { text } from '#kit/contract/text.ts';
import { answer } from '#kit/server/hook.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { audit } from '#kit/server/security/audit.ts';
import { memberApi } from '../contract/member.ts';

type Clubs = { id: number; name: string; isActive: boolean; detail: string }[];

const clubs: Handler<typeof memberApi.clubs> = async ({ db }, { search, limit }) => {
  const { rows } = await sql<Clubs[number]>`select id, name, is_active as "isActive",
      (select count(*) from club_member where club_id = club.id) || ' members' as detail
    from club where name ilike ${`%${search}%`} order by name limit ${limit}`.execute(db);
  return rows;
};

const sending = { kind: 'club.joined', urgency: 'Normal' } as const;

const join: Handler<typeof memberApi.join> = async (ctx, { clubId, studentId }) => {
  await sql`insert into club_member (club_id, student_id) values (${clubId}, ${studentId})`.execute(ctx.db);
  await audit(ctx, { action: 'club.joined', entity: 'club', entityId: clubId, details: { studentId } });
  const first = (await firstContacts(ctx, sending, [studentId])).get(studentId);
  if (first) await tellGuardians(ctx, sending, [{ way: first.way, subjectId: studentId }]);
  const [household] = await householdsOf(ctx, { studentIds: [studentId] });
  return { told: first?.name ?? '', children: household?.studentIds.length ?? 0 };
};

const leave: Handler<typeof memberApi.leave> = async (ctx, { clubId, studentId }) => {
  await sql`delete from club_member where club_id = ${clubId} and student_id = ${studentId}`.execute(ctx.db);
  await audit(ctx, { action: 'club.left', entity: 'club', entityId: clubId, details: { studentId } });
  return {};
};

/** Members who leave the school leave their clubs. */
export const endMembership = answer(
  enrolmentHook,
  {
    by: 'club',
    step: 11,
    lock: ({ db }, changes) =>
      sql`select from club_member where student_id = any(${changes.map(({ studentId }) => studentId)}::integer[])
        order by club_id, student_id for update`.execute(db),
  },
  async ({ db }, changes) => {
    const gone = changes.filter(({ kind }) => kind === 'left').map(({ studentId }) => studentId);
    const { rows } = await sql<{ name: string }>`delete from club_member using club
      where club.id = club_id and student_id = any(${gone}::integer[]) returning name`.execute(db);
    const names = rows.map(({ name }) => name).join(', ');
    return { texts: names ? [text`Planted clubs: ${{ names }}`] : [], blocks: [], basis: rows };
  },
);

export const memberRoutes = routes(memberApi, { clubs, join, leave });
