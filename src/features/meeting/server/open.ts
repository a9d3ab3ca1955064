import { sql } from 'kysely';
import { AppError } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { audit } from '#kit/server/security/audit.ts';
import { type meetingApi, meetingMessages } from '../contract/meeting.ts';
import { lockHost, lockMeeting, makeSlots, raise } from './plan.ts';
import { readHosts } from './read.ts';
import { reachFor, tell, tellClosed } from './tell.ts';

interface Pair {
  guardianId: number;
  studentId: number;
}

/** The guardians of the children in the meeting's sections who receive messages. */
async function readFamilies(ctx: UserContext, meetingId: number): Promise<Pair[]> {
  const { rows } = await sql<Pair>`
    select pair.guardian_id as "guardianId", pair.student_id as "studentId" from family_pairs(${toLocalDate(ctx.now())}) pair
    join meeting_section own on own.section_id = pair.section_id and own.meeting_id = ${meetingId}
    where pair.receives_messages order by pair.guardian_id, pair.student_id`.execute(ctx.db);
  return rows;
}

/** Refuses teachers who have times at another meeting then, with their names. */
async function requireFree({ db }: UserContext, meetingId: number) {
  const { rows } = await sql<{ teacher: string; other: string }>`
    select distinct staff.name as teacher, meeting.name as other from meeting_host host
    join staff on staff.id = host.staff_id
    join meeting_slot slot on slot.staff_id = host.staff_id and not slot.is_closed and slot.during && host.during
    join meeting_host own on own.id = slot.host_id join meeting on meeting.id = own.meeting_id
    where host.meeting_id = ${meetingId} order by 1, 2 limit 1`.execute(db);
  const [found] = rows;
  if (found)
    throw new AppError(
      'conflict',
      text`${{ teacher: found.teacher }} has times at ${{ other: found.other }} then. Change the times, or remove the teacher.`,
    );
}

export const open: Handler<typeof meetingApi.open> = (ctx, { id, version, confirmToken }) =>
  previewOrApply(ctx, confirmToken, async () => {
    const meeting = await lockMeeting(ctx, { id, version });
    if (meeting.state !== 'Draft') throw new AppError('conflict', meetingMessages.notDraft);
    const hosts = await readHosts(ctx, id);
    if (hosts.length === 0) throw new AppError('conflict', meetingMessages.noHosts);
    await requireFree(ctx, id);
    const times = await makeSlots(ctx, meeting, hosts);
    const pairs = await readFamilies(ctx, id);
    const { ways, unreached } = await reachFor(ctx, 'Open', pairs);
    const answer = {
      times,
      children: new Set(pairs.map(({ studentId }) => studentId)).size,
      guardians: ways.length,
      unreached,
    };
    await ctx.db
      .updateTable('meeting')
      .set({ state: 'Open', version: meeting.version + 1 })
      .where('id', '=', id)
      .execute();
    await audit(ctx, {
      action: 'meeting.opened',
      entity: 'meeting',
      entityId: id,
      version: meeting.version + 1,
      details: answer,
    });
    await tell(ctx, { meetingId: id, kind: 'Open' }, ways);
    return { answer, basis: [id, version, hosts, ways] };
  });

/** Closes the times of some teachers that are still to come. Those that were booked keep who had booked them. */
async function close(
  ctx: UserContext,
  hostIds: readonly number[],
  reason: string,
): Promise<{ id: number; isBooked: boolean }[]> {
  await sql`update meeting_host set is_closed = true, reason = ${reason}
    where id = any(${[...hostIds]}::integer[]) and not is_closed`.execute(ctx.db);
  const { rows } = await sql<{ id: number; isBooked: boolean }>`
    update meeting_slot set is_closed = true
    where host_id = any(${[...hostIds]}::integer[]) and not is_closed and ends_at > ${ctx.now()}
    returning id, student_id is not null as "isBooked"`.execute(ctx.db);
  return rows;
}

export const closeHost: Handler<typeof meetingApi.closeHost> = (ctx, { id, reason, confirmToken }) =>
  previewOrApply(ctx, confirmToken, async () => {
    const { meeting, host } = await lockHost(ctx, id);
    if (meeting.state !== 'Open' || host.is_closed) throw new AppError('conflict', meetingMessages.notOpen);
    const closed = (await close(ctx, [id], reason)).filter(({ isBooked }) => isBooked).map((one) => one.id);
    await raise(ctx, meeting.id);
    await audit(ctx, {
      action: 'meeting.teacher-closed',
      entity: 'meeting',
      entityId: meeting.id,
      details: { teacher: host.teacher, booked: closed.length, reason },
    });
    const guardians = await tellClosed(ctx, closed);
    return { answer: { booked: closed.length, guardians }, basis: [id, closed] };
  });

export const cancel: Handler<typeof meetingApi.cancel> = (ctx, { id, version, reason, confirmToken }) =>
  previewOrApply(ctx, confirmToken, async () => {
    const meeting = await lockMeeting(ctx, { id, version });
    if (meeting.state === 'Cancelled') throw new AppError('conflict', meetingMessages.notOpen);
    const hosts = await readHosts(ctx, id);
    const closed = await close(
      ctx,
      hosts.map((host) => host.id),
      reason,
    );
    // Before it is open no family has heard of it.
    const { ways } = await reachFor(ctx, 'Cancelled', meeting.state === 'Open' ? await readFamilies(ctx, id) : []);
    const answer = { booked: closed.filter(({ isBooked }) => isBooked).length, guardians: ways.length };
    await ctx.db
      .updateTable('meeting')
      .set({ state: 'Cancelled', reason, version: meeting.version + 1 })
      .where('id', '=', id)
      .execute();
    await audit(ctx, {
      action: 'meeting.cancelled',
      entity: 'meeting',
      entityId: id,
      version: meeting.version + 1,
      details: { ...answer, reason },
    });
    await tell(ctx, { meetingId: id, kind: 'Cancelled' }, ways);
    return { answer, basis: [id, version, closed, ways] };
  });
