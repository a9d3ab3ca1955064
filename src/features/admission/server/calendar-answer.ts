import { sql } from 'kysely';
import { openStates } from '#features/admission-form/contract/state.ts';
import { schoolDaysChanged } from '#features/calendar/contract/hooks.ts';
import { showDate } from '#kit/contract/day.ts';
import { text } from '#kit/contract/text.ts';
import { localTimeZone } from '#kit/server/day.ts';
import { answer } from '#kit/server/hook.ts';
import { literals } from './literals.ts';

const words = {
  interactions: (n: number, day: string) =>
    text(
      {
        message:
          '{n, plural, one {# interaction with a family is} other {# interactions with families are}} planned on {day}. Move them in Process Admission.',
      },
      { n, day },
    ),
  offered: (n: number, day: string) =>
    text(
      {
        message:
          '{n, plural, one {# slot is} other {# slots are}} offered to families on {day}. Move or cancel them in Process Admission.',
      },
      { n, day },
    ),
  offers: (n: number, day: string) =>
    text(
      { message: '{n, plural, one {# offer ends} other {# offers end}} on {day}. This day does not move.' },
      { n, day },
    ),
  followUps: (n: number, day: string) =>
    text(
      {
        message:
          '{n, plural, one {# follow-up of an inquiry is} other {# follow-ups of inquiries are}} due on {day}. This day does not move.',
      },
      { n, day },
    ),
};
type Kind = keyof typeof words;

/** Interactions, offered slots, offers and follow-ups of open inquiries of a day on which the whole school closes are named; they do not move. */
export const answerCalendar = answer(schoolDaysChanged, { by: 'admission', step: 9 }, async ({ db }, { days }) => {
  const closed = days.filter(({ gradeId, was, work }) => gradeId === null && was > 0 && work === 0);
  const closedDays = closed.map(({ day }) => day);
  const { rows } = await sql<{ day: string } & Record<Kind, number>>`
    select asked.day::text as day,
      (select count(*) from admission_interaction planned where planned.status = 'Planned'
        and planned.starts_at >= asked.day::timestamp at time zone ${localTimeZone}
        and planned.starts_at < (asked.day + 1)::timestamp at time zone ${localTimeZone})::integer as interactions,
      (select count(*) from admission_slot slot join admission_time_choice choice on choice.id = slot.choice_id
        where slot.cancelled_at is null and slot.booked = 0 and choice.ended_at is null
          and slot.starts_at >= asked.day::timestamp at time zone ${localTimeZone}
          and slot.starts_at < (asked.day + 1)::timestamp at time zone ${localTimeZone})::integer as offered,
      (select count(*) from admission_inquiry where offer_expires_on = asked.day and state = 'Offered')::integer as offers,
      coalesce(followed.up, 0) as "followUps"
    from unnest(${closedDays}::date[]) as asked (day)
    left join (select next_follow_up_on as day, count(*)::integer as up from admission_inquiry
      where next_follow_up_on = any(${closedDays}::date[]) and state in (${literals(openStates)}) group by 1) as followed
      on followed.day = asked.day
    order by asked.day`.execute(db);
  return {
    warns: rows.flatMap(({ day, ...counts }) =>
      (['interactions', 'offered', 'offers', 'followUps'] as const).flatMap((kind) =>
        counts[kind] > 0 ? [words[kind](counts[kind], showDate(day))] : [],
      ),
    ),
    moves: [],
    basis: rows,
  };
});
