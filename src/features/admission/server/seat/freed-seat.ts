import { sql } from 'kysely';
import { type EnrolmentChange, enrolmentHook } from '#features/student/contract/hooks.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { ActingContext } from '#kit/server/context.ts';
import { answer } from '#kit/server/hook.ts';
import { notify } from '#kit/server/messages/notifications.ts';
import { auditEach } from '#kit/server/security/audit.ts';
import { isFree, lockSeats } from './seat-lock.ts';

interface Admitted {
  id: number;
  version: number;
  seatId: number;
  grade: string;
  quota: string;
  child: string;
  day: string;
}

/** The applications of students in the year of the change. A closed year keeps its counts. */
async function readAdmitted(ctx: ActingContext, changes: readonly EnrolmentChange[], isFreed: boolean) {
  const asked = JSON.stringify(changes.map(({ studentId, yearId, day }) => ({ studentId, yearId, day })));
  const { rows } = await sql<Admitted>`
    select inquiry.id, inquiry.version, inquiry.seat_id as "seatId", grade.name as grade, inquiry.seat_quota as quota,
      coalesce(nullif(trim(concat_ws(' ', first_name, last_name)), ''), inquiry_no) as child, asked.day
    from admission_inquiry inquiry
    join jsonb_to_recordset(${asked}::jsonb) as asked ("studentId" integer, "yearId" integer, day text)
      on asked."studentId" = inquiry.student_id and asked."yearId" = inquiry.academic_year_id
    join academic_year year on year.id = inquiry.academic_year_id and year.status <> 'Closed'
    join academic_grade grade on grade.id = inquiry.grade_id
    where inquiry.state = 'Admitted' and inquiry.seat_id is not null and (inquiry.seat_freed_on is not null) = ${isFreed}
    order by inquiry.id`.execute(ctx.db);
  return rows;
}

const tellHeads = (ctx: ActingContext, { seatId }: Admitted, words: Text) =>
  notify(ctx, {
    to: { sets: ['admissionHead'] },
    kind: 'admission.seat.free',
    text: words,
    path: '/school-erp/admission/process-admission?show=seats',
    key: `seat ${seatId}`,
  });

/** The applications of the students, then their seats. */
async function lock(ctx: ActingContext, changes: readonly EnrolmentChange[]) {
  const { rows } = await sql<{ seat_id: number | null }>`select seat_id from admission_inquiry
    where student_id = any(${changes.map(({ studentId }) => studentId)}::integer[]) and state = 'Admitted'
    order by id for update`.execute(ctx.db);
  await lockSeats(
    ctx,
    rows.map(({ seat_id }) => seat_id),
  );
}

/** A child who leaves in the admitted year frees the seat; one who is back takes it again while it is free. */
export const freeSeats = answer(enrolmentHook, { by: 'admission', step: 3, lock }, async (ctx, changes) => {
  const leaving = changes.filter(({ kind }) => kind === 'left' || kind === 'cancelled');
  const returning = changes.filter(({ kind }) => kind === 'back');
  const freed = leaving.length > 0 ? await readAdmitted(ctx, leaving, false) : [];
  const back = returning.length > 0 ? await readAdmitted(ctx, returning, true) : [];
  const texts: Text[] = [];
  if (freed.length > 0) {
    await sql`update admission_inquiry inquiry set seat_freed_on = row.day::date, version = version + 1
      from jsonb_to_recordset(${JSON.stringify(freed)}::jsonb) as row (id integer, day text)
      where row.id = inquiry.id`.execute(ctx.db);
    await record(ctx, 'admission.seat.freed', freed);
  }
  for (const row of freed) {
    const words = text`A seat is free: ${{ grade: row.grade }}, ${{ quota: row.quota }}.`;
    texts.push(words);
    await tellHeads(ctx, row, words);
  }
  const seats = await lockSeats(
    ctx,
    back.map(({ seatId }) => seatId),
  );
  const claimed: Admitted[] = [];
  for (const row of back) {
    const seat = seats.find(({ id }) => id === row.seatId);
    if (seat && isFree(seat)) {
      seat.taken++;
      claimed.push(row);
      continue;
    }
    const words = text`${{ grade: row.grade }}, ${{ quota: row.quota }} has one child more than seats. Add a seat.`;
    texts.push(words);
    await tellHeads(ctx, row, words);
  }
  if (claimed.length > 0) {
    const ids = claimed.map(({ id }) => id);
    await sql`update admission_inquiry set seat_freed_on = null, version = version + 1
      where id = any(${ids}::integer[])`.execute(ctx.db);
    await record(ctx, 'admission.seat.claimed', claimed);
  }
  return { texts, blocks: [], basis: [...freed, ...back].map(({ id, version }) => [id, version]) };
});

const record = (ctx: ActingContext, action: string, rows: readonly Admitted[]) =>
  auditEach(
    ctx,
    { action, entity: 'admission_inquiry', details: {} },
    rows.map(({ id }) => id),
  );
