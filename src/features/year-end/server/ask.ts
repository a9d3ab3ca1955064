import { sql } from 'kysely';
import { linkOf, shortNames, tellGuardians, waysOf } from '#features/family/api.ts';
import { mostSkippedShown } from '#kit/contract/bulk.ts';
import { showDate } from '#kit/contract/day.ts';
import { AppError } from '#kit/contract/errors.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { Context, Services, UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import type { DailyTask } from '#kit/server/job/daily.ts';
import { lockRuns, type RunAct, startRun, undoSeconds } from '#kit/server/job/runs.ts';
import type { Template } from '#kit/server/messages/outbox.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { notFound } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import { askers, type questionApi } from '../contract/question.ts';
import { isReachedProposal } from './proposal.ts';
import { questionWords } from './question-words.ts';

type Round = 'ask' | 'remind';

/** The message of both rounds; it is written when it is sent, from what is still unanswered then. */
const sending = { kind: 'year-end.question', urgency: 'Must' } as const;
const keyOf = (round: Round, toYearId: number, guardianId: number) => `year-end.${round} ${toYearId} ${guardianId}`;

const answered = text`Has answered.`;
const wasSent = text`Was sent it.`;
const notAsked = text`Was not asked yet`;
const noAddress = text`No mobile number or email address.`;
const receivesNone = text`Receives no messages.`;
const sameAddress = (name: string) =>
  text`Same number or address as ${{ name }}, who is asked about these children too.`;

/** The children about whom guardians have yet to answer, in the open questions; the office's answer stands for both. */
const unanswered = (day: string) => sql`
  select adult.guardian_id, own.student_id, own.to_year_id, own.branch_id from year_question question
  join year_proposal own on own.to_year_id = question.to_year_id and not own.is_of_office
  join year_asked_adult adult on adult.student_id = own.student_id
  where ${day}::date between question.opens_on and question.closes_on
    and not exists (select from year_answer given where given.to_year_id = own.to_year_id
      and given.student_id = own.student_id and given.guardian_id = adult.guardian_id)`;

interface Pair {
  guardianId: number;
  studentId: number;
}

const wantedOf = async ({ db }: Pick<Context, 'db'>, toYearId: number, day: string, reach = sql<boolean>`true`) => {
  const { rows } = await sql<Pair & { name: string }>`
    select own.guardian_id as "guardianId", own.student_id as "studentId", guardian.name
    from (${unanswered(day)}) own join guardian on guardian.id = own.guardian_id
    where own.to_year_id = ${toYearId} and ${reach}
    order by own.guardian_id, own.student_id`.execute(db);
  return rows;
};

/** The children of whom each guardian was sent a round. */
const sentAlready = async ({ db }: Pick<Context, 'db'>, round: Round, toYearId: number) => {
  const { rows } = await sql<{ id: number; studentIds: number[] }>`
    select guardian_id as id, student_ids as "studentIds" from year_asking
    where to_year_id = ${toYearId} and round = ${round}`.execute(db);
  return new Map(rows.map(({ id, studentIds }) => [id, new Set(studentIds)]));
};

/** Whether a round may reach a guardian about a child: nobody is reminded of a question that was not sent. */
async function askedBefore(ctx: Pick<Context, 'db'>, round: Round, toYearId: number) {
  if (round === 'ask') return () => true;
  const asked = await sentAlready(ctx, 'ask', toYearId);
  return ({ guardianId, studentId }: Pair) => asked.get(guardianId)?.has(studentId) === true;
}

const send =
  (round: Round): Handler<typeof questionApi.ask> =>
  (ctx, { yearId, confirmToken }) =>
    previewOrApply(ctx, confirmToken, async (isPreview) => {
      const question = await openQuestion(ctx, yearId);
      const last = await lockRuns(ctx, `year-end.${round}`, isPreview);
      const today = toLocalDate(ctx.now());
      const wanted = await wantedOf(ctx, question.to_year_id, today, isReachedProposal(ctx));
      const ways = await waysOf(ctx, sending, wanted);
      const before = await sentAlready(ctx, round, question.to_year_id);
      const mayHear = await askedBefore(ctx, round, question.to_year_id);
      const adults = [...Map.groupBy(wanted, ({ guardianId }) => guardianId)].map(([id, all]) => {
        const own = all.filter(mayHear);
        const found = ways.get(id);
        const name = all[0]?.name ?? '';
        const reason =
          own.length === 0
            ? notAsked
            : own.every(({ studentId }) => before.get(id)?.has(studentId))
              ? wasSent
              : found?.reason === 'Same as'
                ? sameAddress(found.reader)
                : found?.reason === 'Receives no messages'
                  ? receivesNone
                  : found?.ways.length
                    ? undefined
                    : noAddress;
        return { id, name, reason };
      });
      const sent = adults.filter(({ reason }) => !reason);
      const skipped = adults.flatMap(({ id, name, reason }) => (reason ? [{ id, name, reason }] : []));
      const runId =
        isPreview || sent.length === 0
          ? null
          : await startRun(ctx, {
              kind: `year-end.${round}`,
              input: { toYearId: question.to_year_id } satisfies Input,
              rows: sent,
              told: { title: titles[round], path: '/school-erp/academic/year-end?tab=families' },
              access: askers,
              waitSeconds: undoSeconds,
            });
      if (runId !== null)
        await audit(ctx, {
          action: round === 'ask' ? 'year-question.asked' : 'year-question.reminded',
          entity: 'academic_year',
          entityId: question.to_year_id,
          details: { Guardians: sent.length },
        });
      return {
        answer: {
          changed: sent.length,
          skipped: skipped.slice(0, mostSkippedShown),
          skippedCount: skipped.length,
          runId,
        },
        basis: [yearId, last, question.version, adults.map(({ id, reason }) => [id, reason?.id])],
        isRefused: sent.length === 0,
      };
    });

const titles: Record<Round, Text> = { ask: text`Ask families`, remind: text`Remind families of the question` };

async function openQuestion({ db, now }: UserContext, yearId: number) {
  const question = await db
    .selectFrom('year_question')
    .where('from_year_id', '=', yearId)
    .select(['to_year_id', 'opens_on', 'closes_on', 'version'])
    .executeTakeFirstOrThrow(notFound);
  const today = toLocalDate(now());
  if (today < question.opens_on)
    throw new AppError('conflict', text`The question opens on ${{ day: showDate(question.opens_on) }}.`);
  if (today > question.closes_on)
    throw new AppError('conflict', text`Answers were taken until ${{ day: showDate(question.closes_on) }}.`);
  return question;
}

export const ask = send('ask');
export const remind = send('remind');

interface Input {
  toYearId: number;
}

/** One message for all children of a guardian who has not answered since. */
const sendInRun =
  (round: Round): RunAct =>
  async (ctx, guardianId, { toYearId }: Input) => {
    const { starter } = ctx;
    const reach = starter ? isReachedProposal({ user: starter }) : sql<boolean>`true`;
    const wanted = await wantedOf(
      ctx,
      toYearId,
      toLocalDate(ctx.now()),
      sql`own.guardian_id = ${guardianId} and ${reach}`,
    );
    const pairs = wanted.filter(await askedBefore(ctx, round, toYearId));
    if (pairs.length === 0) return answered;
    const isSent = await sendTo(ctx, round, toYearId, pairs);
    return isSent.size > 0 ? undefined : noAddress;
  };

/** Sends a round to these guardians, and notes it: nobody gets one twice about the same children. Returns whom it was sent. */
async function sendTo(ctx: Context, round: Round, toYearId: number, pairs: readonly Pair[]): Promise<Set<number>> {
  const ways = [...(await waysOf(ctx, sending, pairs)).values()].flatMap((reach) => reach.ways.slice(0, 1));
  const told = pairs.filter((pair) => ways.some(({ guardianId }) => guardianId === pair.guardianId));
  const { rows } = await sql<{ id: number; children: number }>`
    insert into year_asking as sent (to_year_id, guardian_id, round, sent_at, student_ids)
    select ${toYearId}::integer, told."guardianId", ${round}::text, ${ctx.now()}::timestamptz,
      array_agg(told."studentId" order by told."studentId")
    from jsonb_to_recordset(${JSON.stringify(told)}::jsonb) as told ("guardianId" integer, "studentId" integer)
    group by told."guardianId" order by told."guardianId"
    on conflict (to_year_id, guardian_id, round) do update
      set student_ids = sent.student_ids || (select array_agg(one) from unnest(excluded.student_ids) as one
          where one <> all (sent.student_ids)), sent_at = excluded.sent_at
      where not sent.student_ids @> excluded.student_ids
    returning guardian_id as id, cardinality(student_ids) as children`.execute(ctx.db);
  const noted = new Map(rows.map(({ id, children }) => [id, children]));
  await tellGuardians(
    ctx,
    { ...sending, carriesLink: true },
    ways.flatMap((way) => {
      const children = noted.get(way.guardianId);
      return children
        ? [{ way, subjectId: way.guardianId, key: `${keyOf(round, toYearId, way.guardianId)} ${children}` }]
        : [];
    }),
  );
  return new Set(noted.keys());
}

export const questionRuns = { 'year-end.ask': sendInRun('ask'), 'year-end.remind': sendInRun('remind') };

/** Some days before the deadline the guardians who have not answered are reminded, each once. */
async function remindDue(ctx: Context): Promise<void> {
  const today = toLocalDate(ctx.now());
  const { rows } = await sql<{ toYearId: number }>`select to_year_id as "toYearId" from year_question
    where remind_days > 0 and ${today}::date between greatest(opens_on, closes_on - remind_days) and closes_on
      and exists (select from year_asking sent where sent.to_year_id = year_question.to_year_id and sent.round = 'ask')
    order by to_year_id`.execute(ctx.db);
  for (const { toYearId } of rows) {
    // Each branch asks its own families.
    const wanted = await wantedOf(ctx, toYearId, today);
    await sendTo(ctx, 'remind', toYearId, wanted.filter(await askedBefore(ctx, 'remind', toYearId)));
  }
}

export const dailyReminder: DailyTask = { name: 'year-end.remind', from: 9, until: 20, act: remindDue };

const template: Template = {
  isFor: async (services, { subjectId, recipient, version }) => {
    const row = await services.db
      .selectFrom('guardian')
      .where('id', '=', subjectId)
      .select(['mobile', 'email'])
      .executeTakeFirst();
    const isContact = row?.mobile === recipient || row?.email.toLowerCase() === recipient.toLowerCase();
    return isContact && (await linkOf(services, { guardianId: subjectId, version })) !== undefined;
  },
  render: async (services: Services, guardianId, version) => {
    const { db, now } = services;
    const { rows } = await sql<{ name: string; closesOn: string }>`
      select student.first_name as name, question.closes_on::text as "closesOn"
      from (${unanswered(toLocalDate(now()))}) own join student on student.id = own.student_id
      join year_question question on question.to_year_id = own.to_year_id
      where own.guardian_id = ${guardianId} and exists (select from year_asking sent where sent.round = 'ask'
        and sent.to_year_id = own.to_year_id and sent.guardian_id = own.guardian_id and own.student_id = any(sent.student_ids))
      order by student.birth_date, student.id`.execute(db);
    const [link, school] = await Promise.all([
      linkOf(services, { guardianId, version }),
      db.selectFrom('academic_school').select('name').executeTakeFirst(),
    ]);
    const [first] = rows.map(({ closesOn }) => closesOn).toSorted();
    if (!link || !school || !first) return undefined;
    return questionWords({
      school: school.name,
      children: shortNames(rows.map(({ name }) => name)),
      day: first,
      ...link,
    });
  },
};

export const questionMessages: Record<string, Template> = { 'year-end.question': template };
