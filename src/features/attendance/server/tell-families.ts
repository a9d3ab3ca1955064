import { sql } from 'kysely';
import { firstContacts, tellGuardians } from '#features/family/api.ts';
import { onDay, type Text, text } from '#kit/contract/text.ts';
import type { Context } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Template } from '#kit/server/messages/outbox.ts';
import type { Rendered, TextMessage } from '#kit/server/messages/text-message.ts';
import { settingValue } from '#kit/server/settings.ts';
import type { RegisterCode } from '../contract/register.ts';
import { tellAfter, tellsFamilies } from './settings.ts';

type Kind = RegisterCode['kind'];

/** The kinds of marks of a child who is at school after all. */
const atSchool: readonly Kind[] = ['Present', 'Late', 'Half day', 'On duty'];

/** An absence is for today: it goes to the adult to call first. */
const sending = { kind: 'attendance.absent', urgency: 'Must' } as const;

const isSameMessage = sql`sent.dedupe_key = 'attendance ' || told.id`;

/**
 * Queues the messages about the marks of a day that were made or changed, in the transaction of the act: one for an absence,
 * and one when a child whose absence was told is at school. Messages that were closed unsent do not count as told.
 */
export async function tellFamilies(
  ctx: Context,
  { yearId, day }: { yearId: number; day: string },
  marks: readonly { studentId: number; kind: Kind; isTold: boolean }[],
): Promise<void> {
  const changes = marks.flatMap(({ studentId, kind, isTold }) => {
    if (kind === 'Absent') return [{ studentId, kind: 'Absent' }];
    return isTold && atSchool.includes(kind) ? [{ studentId, kind: 'Update' }] : [];
  });
  if (changes.length === 0) return;
  const contacts = await firstContacts(
    ctx,
    sending,
    changes.map(({ studentId }) => studentId),
  );
  const wanted = changes.filter(({ studentId }) => contacts.has(studentId));
  const { rows: fresh } = await sql<{ id: number; studentId: number; kind: string; notBefore: Date }>`
    with wanted as materialized (
        select * from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) as each ("studentId" integer, kind text)),
      fresh as (
        insert into attendance_message (academic_year_id, student_id, day, kind, number)
        select ${yearId}::integer, wanted."studentId", ${day}::date, wanted.kind, coalesce(last.number, 0) + 1
        from wanted
        left join lateral (
          select told.number, sent.status from attendance_message told left join outbox sent on ${isSameMessage}
          where told.student_id = wanted."studentId" and told.day = ${day} and told.kind = wanted.kind
          order by told.number desc limit 1) as last on true
        where ${settingValue(tellsFamilies)} and (last.number is null or last.status = 'expired')
          and (wanted.kind = 'Absent' or exists (
            select from attendance_message told join outbox sent on ${isSameMessage} and sent.status in ('queued', 'sent')
            where told.student_id = wanted."studentId" and told.day = ${day} and told.kind = 'Absent'))
        on conflict do nothing returning id, student_id, kind)
    select fresh.id, fresh.student_id as "studentId", fresh.kind,
      case fresh.kind when 'Absent' then school_now() + make_interval(mins => ${settingValue(tellAfter)})
        -- After the message that it corrects.
        else greatest(school_now(), (select sent.not_before + interval '5 minutes' from attendance_message told
          join outbox sent on ${isSameMessage} and sent.status = 'queued'
          where told.student_id = fresh.student_id and told.day = ${day} and told.kind = 'Absent'
          order by told.number desc limit 1)) end as "notBefore"
    from fresh order by fresh.id`.execute(ctx.db);
  for (const kind of ['Absent', 'Update'] as const)
    await tellGuardians(
      ctx,
      { ...sending, kind: kind === 'Absent' ? 'attendance.absent' : 'attendance.update' },
      fresh.flatMap(({ id, studentId, notBefore, ...one }) => {
        const way = one.kind === kind && contacts.get(studentId)?.way;
        return way ? [{ way, subjectId: id, key: `attendance ${id}`, notBefore }] : [];
      }),
    );
}

interface Words {
  child: string;
  /** YYYY-MM-DD. */
  day: string;
  school: string;
  phone: string;
  /** What the child is marked as now. */
  mark: Text;
}

const absentWords = ({ child, day, school, phone }: Words): Rendered => ({
  subject: text`${{ child }} is absent today`,
  paragraphs: [
    text`Dear parent, ${{ child }} is marked absent on ${{ date: onDay(day, true) }}. If you did not expect this, call ${{ school }}: ${{ phone }}`,
  ],
});

const updateWords = ({ child, day, school, phone, mark }: Words): Rendered => ({
  subject: text`${{ child }} is at school today`,
  paragraphs: [
    text`Dear parent, ${{ child }} is at school on ${{ date: onDay(day, true) }} and marked ${{ mark }}, not absent. ${{ school }}: ${{ phone }}`,
  ],
});

/** A mark in the reader's language: the names of codes are the school's own, in English. */
const marks: Record<Kind, Text> = {
  Present: text`Present`,
  Absent: text`Absent`,
  Leave: text`Leave`,
  Late: text`Late`,
  'Half day': text`Half day`,
  'On duty': text`On duty`,
};
const lateAt = (time: string) => text`Late ${{ time }}`;

const markOf = ({ kind, time }: Pick<Told, 'kind' | 'time'>): Text =>
  kind === 'Late' && time ? lateAt(time) : marks[kind ?? 'Present'];

interface Told extends Omit<Words, 'mark'> {
  kind: Kind | null;
  /** Of arrival. */
  time: string | null;
  /** The status of the message about the absence. */
  absence: string | null;
}

/** A message as it is about to be sent, with the mark of now: of two halves that of the afternoon. */
async function findTold({ db }: Pick<Context, 'db'>, id: number): Promise<Told | undefined> {
  const { rows } = await sql<Told>`
    select told.day::text, student.first_name as child, school.name as school, school.phone, code.kind,
      to_char(mark.arrived_at, 'HH24:MI') as time,
      (select sent.status from attendance_message absence join outbox sent on sent.dedupe_key = 'attendance ' || absence.id
        where absence.student_id = told.student_id and absence.day = told.day and absence.kind = 'Absent'
        order by absence.number desc limit 1) as absence
    from attendance_message told
    join student on student.id = told.student_id
    cross join academic_school school
    left join lateral (select code_id, arrived_at from attendance_mark own
      where own.academic_year_id = told.academic_year_id and own.student_id = told.student_id and own.day = told.day
      order by own.half desc limit 1) as mark on true
    left join attendance_code code on code.id = mark.code_id
    where told.id = ${id}`.execute(db);
  return rows[0];
}

/** A message of its own day: what could not be sent until midnight helps no family. */
const template = (words: (words: Words) => Rendered, applies: (told: Told) => boolean): Template => ({
  render: async (services, id) => {
    const told = await findTold(services, id);
    if (!told || told.day !== toLocalDate(services.now()) || !applies(told)) return undefined;
    return words({ ...told, mark: markOf(told) });
  },
  isFor: async (services, { subjectId, recipient }) => {
    const row = await services.db
      .selectFrom('attendance_message')
      .where('id', '=', subjectId)
      .select('student_id')
      .executeTakeFirst();
    if (!row) return false;
    return (await firstContacts(services, sending, [row.student_id])).get(row.student_id)?.way.recipient === recipient;
  },
});

export const familyMessages = {
  'attendance.absent': template(absentWords, ({ kind }) => kind === 'Absent'),
  'attendance.update': template(
    updateWords,
    ({ kind, absence }) => absence === 'sent' && kind !== null && atSchool.includes(kind),
  ),
};

const example =
  (words: (words: Words) => Rendered): TextMessage['example'] =>
  ({ name, phone }) =>
    words({ child: 'Aarohi', day: '2027-09-24', school: name, phone, mark: lateAt('09:20') });

export const familyTexts: Record<string, TextMessage> = {
  'attendance.absent': { when: text`When a child is marked absent.`, example: example(absentWords) },
  'attendance.update': {
    when: text`When a child reported absent is at school after all.`,
    example: example(updateWords),
  },
} satisfies Record<string, { when: Text; example: TextMessage['example'] }>;
