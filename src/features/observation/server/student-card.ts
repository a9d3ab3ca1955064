import { sql } from 'kysely';
import { studentCard } from '#features/student/contract/cards.ts';
import { showDate } from '#kit/contract/day.ts';
import { isGranted } from '#kit/contract/endpoint.ts';
import { mostNext } from '#kit/contract/served-card.ts';
import { text, verbatim } from '#kit/contract/text.ts';
import type { ServedCard, UserContext } from '#kit/server/context.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { inPeriod, type Period } from '#kit/server/period.ts';
import { noteAccess, type Polarity } from '../contract/words.ts';
import { isWithdrawn, notesRead } from './readable.ts';

const mostShown = 5;

const observedOn = sql`(note.observed_at at time zone 'Asia/Kolkata')::date`;

/** The notes on a student that the reader sees, the newest first; of a restricted or withdrawn one no text. */
async function notesOf(ctx: UserContext, studentId: number, period: Period) {
  if (!isGranted(noteAccess, ctx.user)) return [];
  return notesRead(ctx)
    .innerJoin('observation_type as type', 'type.id', 'note.type_id')
    .where('note.student_id', '=', studentId)
    .where(inPeriod(observedOn, period))
    .select(['note.id', 'note.polarity', 'note.reach', 'type.name as type', isWithdrawn.as('isWithdrawn')])
    .select(sql<string>`to_char(note.observed_at at time zone 'Asia/Kolkata', 'YYYY-MM-DD')`.as('day'))
    .select(
      sql<string>`case when ${isWithdrawn} then '' else left(split_part(coalesce(note.note, ''), E'\n', 1), 120) end`.as(
        'firstLine',
      ),
    )
    .orderBy('note.observed_at', 'desc')
    .orderBy('note.id', 'desc')
    .limit(200)
    .execute();
}

/** Readable notes of students that are not withdrawn, by kind; students without one are left out. */
async function countsOf(ctx: UserContext, studentIds: readonly number[], period: Period) {
  if (!isGranted(noteAccess, ctx.user)) return [];
  return notesRead(ctx)
    .where(sql<boolean>`note.student_id = any(${[...studentIds]}::integer[])`)
    .where(inPeriod(observedOn, period))
    .where(sql<boolean>`not ${isWithdrawn}`)
    .groupBy(['note.student_id', 'note.polarity'])
    .select(['note.student_id as studentId', sql<Polarity>`note.polarity`.as('polarity')])
    .select(sql<number>`count(*)::integer`.as('count'))
    .execute();
}

/** The observations of a student that the reader sees: counts by kind and the last five. */
export const studentNotes: ServedCard = {
  card: studentCard('observation', 'now', 55, text`Observations`, noteAccess),
  read: async (ctx, id, { from, to }) => {
    const period = { from: from || addDays(toLocalDate(ctx.now()), -365), to };
    const counts = await countsOf(ctx, [id], period);
    const notes = await notesOf(ctx, id, period);
    const countOf = (polarity: Polarity) => String(counts.find((one) => one.polarity === polarity)?.count ?? 0);
    const { rows } = await sql<{ open: number }>`
      select count(*)::integer as open from observation_follow_up follow_up
      where follow_up.closed_on is null and follow_up.note_id = any(${notes.map((note) => note.id)}::integer[])`.execute(
      ctx.db,
    );
    const facts = [
      { label: text`Positive`, value: verbatim(countOf('Positive')) },
      { label: text`Neutral`, value: verbatim(countOf('Neutral')) },
      { label: text`Concern`, value: verbatim(countOf('Concern')) },
      { label: text`Open follow-ups`, value: verbatim(String(rows[0]?.open ?? 0)) },
    ];
    return {
      asOf: '',
      facts: notes.length > 0 ? facts : [],
      table:
        notes.length > 0
          ? {
              heads: [text`Date`, text`Type`, text`Note`],
              rows: notes
                .slice(0, mostShown)
                .map((note) => [
                  verbatim(showDate(note.day)),
                  verbatim(note.type),
                  note.isWithdrawn
                    ? text`Withdrawn`
                    : note.reach === 'Restricted'
                      ? text`Restricted`
                      : verbatim(note.firstLine),
                ]),
            }
          : null,
      to: `/school-erp/student-observation/student-observation-list?tab=all&studentId=${id}`,
      empty: from ? text`No observations in these days.` : text`No observations in the last year.`,
    };
  },
  next: async (ctx, id) => {
    if (!isGranted(noteAccess, ctx.user)) return [];
    const today = toLocalDate(ctx.now());
    const rows = await notesRead(ctx)
      .innerJoin('observation_follow_up as own', 'own.note_id', 'note.id')
      .innerJoin('observation_type as type', 'type.id', 'note.type_id')
      .where('note.student_id', '=', id)
      .where('own.closed_on', 'is', null)
      .where(sql<boolean>`not ${isWithdrawn}`)
      .select(['note.id', 'note.reach', 'type.name as type', 'own.due_on as day'])
      .select(sql<string>`left(split_part(coalesce(note.note, ''), E'\n', 1), 80)`.as('firstLine'))
      .orderBy('own.due_on')
      .orderBy('own.id')
      .limit(mostNext)
      .execute();
    return rows.map(({ id: note, reach, type, day, firstLine }) => ({
      title: verbatim(reach === 'Restricted' ? type : firstLine || type),
      about: verbatim(''),
      detail: text`Observation, follow up by ${{ day: showDate(day) }}`,
      isLate: day < today,
      to: `/school-erp/student-observation/student-observation-list/${note}`,
    }));
  },
};
