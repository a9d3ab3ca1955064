import { sql } from 'kysely';
import { firstContacts } from '#features/family/api.ts';
import { contactsOf } from '#features/student/api.ts';
import { mostSkippedShown } from '#kit/contract/bulk.ts';
import { showMoney } from '#kit/contract/money.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { Context } from '#kit/server/context.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { ask } from '#kit/server/hook.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { lockRuns, type RunAct, startRun, undoSeconds } from '#kit/server/job/runs.ts';
import type { Template } from '#kit/server/messages/outbox.ts';
import type { TextMessage } from '#kit/server/messages/text-message.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { followUpApi } from '../contract/follow-up.ts';
import { saysPaid } from '../contract/hooks.ts';
import { accountsSelected } from './account-list.ts';
import { earlyWords, examplePage, lateWords } from './message-words.ts';
import { owedOf, readPayable } from './read-dues.ts';
import { pageKind, pageOfReminder, tellWithPage } from './tell-with-page.ts';

const kind = 'fee.remind';
const sending = { kind: 'fee.reminder', urgency: 'Must' } as const;
/** Days before a due day from which a reminder names it. */
const daysBefore = 7;

const nothingDue = text`Owes nothing now or within a week.`;
const reminded = text`Was reminded today.`;
const paid = text`The family says it has paid. Check the bank first.`;
const noContact = text`No guardian who receives messages has a mobile number or email address.`;

interface Owing {
  studentId: number;
  accountId: number;
  name: string;
  /** What is due by today with late fines, and since when; else what is due next. */
  amount: number;
  day: string;
  isLate: boolean;
  isReminded: boolean;
}

/** The children whose family says that it paid a short time ago. */
export const saidPaid = async (ctx: Context, studentIds: readonly number[]): Promise<ReadonlySet<number>> =>
  new Set((await ask(ctx, saysPaid, { studentIds })).flatMap(({ output }) => output));

/** What students owe by today, or within a week; those who owe nothing are left out. */
async function readOwing({ db }: Pick<Context, 'db'>, studentIds: readonly number[], today: string): Promise<Owing[]> {
  const { rows } = await sql<Pick<Owing, 'studentId' | 'accountId' | 'name' | 'isReminded'>>`
    select student.id as "studentId", account.id as "accountId", student.first_name as name,
      exists (select from fee_reminder_child where account_id = account.id and day = ${today}::date) as "isReminded"
    from fee_account account join student on student.id = account.student_id
    where student.id = any(${studentIds}::integer[]) order by student.id`.execute(db);
  const { lines } = await readPayable(
    { db },
    rows.map(({ accountId }) => accountId),
    today,
  );
  const until = addDays(today, daysBefore);
  return rows.flatMap((row): Owing[] => {
    const own = lines.get(row.accountId) ?? [];
    const { due, fine, since } = owedOf(own);
    if (since !== '') return [{ ...row, amount: due + fine, day: since, isLate: true }];
    const next = own.filter(({ dueOn }) => dueOn <= until);
    const [first] = next.map(({ dueOn }) => dueOn).toSorted();
    return first ? [{ ...row, amount: next.reduce((sum, { owed }) => sum + owed, 0), day: first, isLate: false }] : [];
  });
}

export const remind: Handler<typeof followUpApi.remind> = (ctx, { selection, confirmToken }) =>
  previewOrApply(ctx, confirmToken, async (isPreview) => {
    const last = await lockRuns(ctx, kind, isPreview);
    const today = toLocalDate(ctx.now());
    const ids = await accountsSelected(ctx, selection);
    const { rows: names } = await sql<{ id: number; name: string }>`select id, name from student
      where id = any(${ids}::integer[]) order by id`.execute(ctx.db);
    const owing = new Map((await readOwing(ctx, ids, today)).map((one) => [one.studentId, one]));
    const contacts = await firstContacts(ctx, sending, ids);
    const said = await saidPaid(ctx, ids);
    const whyNot = (id: number): Text | undefined => {
      const own = owing.get(id);
      if (!own) return nothingDue;
      if (said.has(id)) return paid;
      if (own.isReminded) return reminded;
      return contacts.has(id) ? undefined : noContact;
    };
    const skipped = names.flatMap((row) => {
      const reason = whyNot(row.id);
      return reason ? [{ ...row, reason }] : [];
    });
    const told = Map.groupBy(
      names.filter(({ id }) => !whyNot(id)),
      ({ id }) => contacts.get(id)?.guardianId ?? 0,
    );
    const guardians = [...told].map(([id, children]) => ({
      id,
      name: contacts.get(children[0]?.id ?? 0)?.name ?? '',
      children: children.map((child) => child.id),
    }));
    const children = Object.fromEntries(guardians.map((one) => [one.id, one.children]));
    const runId =
      isPreview || guardians.length === 0
        ? null
        : await startRun(ctx, {
            kind,
            input: { children } satisfies Input,
            rows: guardians,
            told: { title: text`Remind families of fees`, path: '/school-erp/fee/student-wise-fees-structure' },
            access: followUpApi.remind.access,
            waitSeconds: undoSeconds,
          });
    return {
      answer: {
        changed: guardians.length,
        skipped: skipped.slice(0, mostSkippedShown),
        skippedCount: skipped.length,
        runId,
      },
      basis: [selection, last, children, skipped.map(({ id, reason }) => [id, reason.id])],
      isRefused: guardians.length === 0,
    };
  });

interface Input {
  /** The students of each guardian. */
  children: Record<number, number[]>;
}

/** One message for all children of a guardian who still owe, and were not reminded since. */
const remindOne: RunAct = async (ctx, guardianId, { children }: Input) => {
  const today = toLocalDate(ctx.now());
  const ids = children[guardianId] ?? [];
  const said = await saidPaid(ctx, ids);
  const owing = (await readOwing(ctx, ids, today)).filter(({ studentId }) => !said.has(studentId));
  if (owing.length === 0 && said.size > 0) return paid;
  const contacts = await firstContacts(
    ctx,
    sending,
    owing.map(({ studentId }) => studentId),
  );
  const own = owing.filter(({ studentId }) => contacts.get(studentId)?.guardianId === guardianId);
  if (own.length === 0) return nothingDue;
  const { rows } = await sql<{ id: number }>`
    with made as (insert into fee_reminder (guardian_id, day) values (${guardianId}, ${today}::date) returning id),
    child as (
      insert into fee_reminder_child (account_id, day, reminder_id)
      select account, ${today}::date, made.id from made,
        unnest(${own.map(({ accountId }) => accountId)}::integer[]) as account
      on conflict do nothing returning reminder_id)
    select distinct reminder_id as id from child`.execute(ctx.db);
  const [made] = rows;
  if (!made) return reminded;
  const way = contacts.get(own[0]?.studentId ?? 0)?.way;
  const studentIds = own.map(({ studentId }) => studentId);
  if (way) await tellWithPage(ctx, sending, [{ way, studentIds, subjectId: made.id, key: `fee.reminder ${made.id}` }]);
  return undefined;
};

export const remindRuns = { [kind]: remindOne };

/** Whether a guardian who was reminded still receives messages about one of the children. */
export const isForReminded: Exclude<Template['isFor'], string> = async ({ db }, { subjectId, recipient }) => {
  const { rows } = await sql<{ studentId: number; guardianId: number }>`
    select account.student_id as "studentId", reminder.guardian_id as "guardianId"
    from fee_reminder reminder join fee_reminder_child child on child.reminder_id = reminder.id
    join fee_account account on account.id = child.account_id where reminder.id = ${subjectId}`.execute(db);
  const adults = await contactsOf(
    { db },
    rows.map(({ studentId }) => studentId),
    'receiving',
  );
  return adults.some(
    ({ guardianId, mobile, email }) =>
      guardianId === rows[0]?.guardianId && [mobile, email.toLowerCase()].includes(recipient),
  );
};

/** A reminder of its own day, with what is owed at that moment; none where it was paid. */
const reminder = (hasPage: boolean): Template => ({
  render: async (services, id) => {
    const today = toLocalDate(services.now());
    const { rows } = await sql<{ studentId: number; school: string; phone: string }>`
      select account.student_id as "studentId", school.name as school, school.phone
      from fee_reminder_child child join fee_account account on account.id = child.account_id
      cross join academic_school school where child.reminder_id = ${id} and child.day = ${today}::date`.execute(
      services.db,
    );
    const [first] = rows;
    if (!first) return undefined;
    const owing = await readOwing(
      services,
      rows.map(({ studentId }) => studentId),
      today,
    );
    const isLate = owing.some((one) => one.isLate);
    const own = owing.filter((one) => one.isLate === isLate);
    const [earliest] = own.map(({ day }) => day).toSorted();
    if (!earliest) return undefined;
    const words = {
      children: own.map(({ name }) => name).join(', '),
      amount: showMoney(own.reduce((sum, { amount }) => sum + amount, 0)),
      day: earliest,
      school: first.school,
      phone: first.phone,
    };
    // A link that ended since takes no reminder with it.
    const page = hasPage ? await pageOfReminder(services, id) : undefined;
    return isLate ? lateWords(words, page) : earlyWords(words, page);
  },
  isFor: isForReminded,
});

export const feeMessages = { 'fee.reminder': reminder(false), [pageKind('fee.reminder')]: reminder(true) };

export const feeTexts: Record<string, TextMessage> = {
  'fee.reminder': {
    when: text`When a family is reminded of fees that are due.`,
    example: ({ name, phone }) =>
      lateWords({ children: 'Aarohi', amount: '₹7,500.00', day: '2027-04-10', school: name, phone }),
  },
  [pageKind('fee.reminder')]: {
    when: text`When a family that has a page is reminded of fees that are due.`,
    example: ({ name, phone }, publicUrl) =>
      lateWords(
        { children: 'Aarohi', amount: '₹7,500.00', day: '2027-04-10', school: name, phone },
        examplePage(publicUrl),
      ),
  },
};
