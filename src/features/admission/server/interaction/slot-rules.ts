import { sql } from 'kysely';
import { showDate } from '#kit/contract/day.ts';
import { fieldRefusal } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { slotMessages } from '../../contract/slot.ts';

export const slotRules = {
  table: 'admission_slot',
  fields: {},
  constraintMessages: {
    admission_slot_room: { field: 'roomId', message: slotMessages.room },
    admission_slot_assessor_clash: { field: 'assessorId', message: slotMessages.assessor },
    admission_interaction_clash: { field: 'from', message: slotMessages.child },
    admission_slot_full: { field: 'capacity', message: slotMessages.full },
  },
};

/** Refuses a day on which the school does not work. */
export async function requireSchoolDay({ db }: UserContext, day: string, yearId: number | undefined) {
  if (yearId === undefined) return;
  const { rows } = await sql<{ work: number; kind: string; name: string }>`
    select own.work, own.kind, own.name from academic_year year
    cross join lateral academic_school_days(year.id, ${day}::date, ${day}::date) as own
    where ${day}::date between year.starts_on and year.ends_on and own.grade_id is null limit 1`.execute(db);
  const [found] = rows;
  if (found?.work === 0)
    throw fieldRefusal(
      'day',
      text`${{ day: showDate(day) }} has no school (${{ what: found.name || found.kind }}). Tick below to plan it anyway.`,
    );
}
