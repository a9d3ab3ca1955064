import { sql } from 'kysely';
import { AppError } from '#kit/contract/errors.ts';
import { english, text } from '#kit/contract/text.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { createEntered } from '#kit/server/master/create-all.ts';
import { timeSlotMaster } from '../contract/masters.ts';
import { type usualSlotApi, usualSlots } from '../contract/usual-slots.ts';

/** The least age of the first grade of primary school, in months. */
const primaryAge = 72;

/**
 * Adds the usual time slots to an empty list, from the first day of the current academic year; the grades of pre-primary are
 * those for children below six, and a school without them gets no slot for them.
 */
export const addUsualSlots: Handler<typeof usualSlotApi.addUsualSlots> = async (ctx) => {
  const { db } = ctx;
  const today = toLocalDate(ctx.now());
  const { rows } = await sql<{ isEmpty: boolean; last: number | null; first: number | null; from: string }>`
    select not exists (select from transport_time_slot) as "isEmpty",
      (select id from academic_grade where is_active and min_age_months < ${primaryAge} order by position desc limit 1) as last,
      (select id from academic_grade where is_active and position > (select max(position) from academic_grade
        where is_active and min_age_months < ${primaryAge}) order by position limit 1) as first,
      least(${today}::date, (select starts_on from academic_year where id = academic_year_on(${today}::date)))::text as "from"`.execute(
    db,
  );
  const [found] = rows;
  if (!found?.isEmpty) throw new AppError('conflict', text`There are time slots already.`);
  const added = await createEntered(
    ctx,
    timeSlotMaster,
    usualSlots
      .filter(({ grades }) => grades !== 'Pre-primary' || found.last !== null)
      .map(({ grades, name, ...slot }) => ({
        ...slot,
        name: english(name),
        validFrom: found.from,
        fromGradeId: grades === 'Primary' ? found.first : null,
        toGradeId: grades === 'Pre-primary' ? found.last : null,
      })),
    'Usual time slots',
  );
  return { added: added.length };
};
