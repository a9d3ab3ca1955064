import { sql } from 'kysely';
import { type PermissionSet, setWords } from '#access/contract/grants.ts';
import { showDate } from '#kit/contract/day.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { ApprovalKind } from '#kit/server/context.ts';
import type { DashboardCard, TodoSource } from '#kit/server/dashboard.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { figures, first } from './list.ts';
import { ownKinds } from './scope.ts';

const inbox = 'approval/inbox';

/** What waits for the user's decision, and what the user waits for. */
export const approvalCard: DashboardCard = {
  title: text`Approvals`,
  roles: ['Staff'],
  count: async (ctx) => {
    const found = await figures(ctx, inbox, [
      { label: text`To decide`, query: {} },
      { label: text`My requests`, query: { tab: 'own' } },
    ]);
    const [waiting, asked] = found;
    // Kinds that are decided row by row are of all Staff: without a set of any kind, nothing to decide says nothing.
    const decides = ownKinds(ctx).some(({ sets }) => sets.some((set) => ctx.user.sets.includes(set)));
    return [
      ...(waiting && (decides || waiting.value > 0) ? [waiting] : []),
      ...(asked && asked.value > 0 ? [asked] : []),
    ];
  },
};

/** Decided requests are shown for so many days. */
const decidedFor = 3;

/** What the user has asked for: with whom it lies and since when, or how it was decided. */
export const askedCard: DashboardCard = {
  title: text`Asked by you`,
  roles: ['Staff'],
  count: async () => [],
  lines: async ({ db, user, now, approvals }) => {
    const today = toLocalDate(now());
    const { rows } = await sql<{
      id: number;
      kind: string;
      title: Text;
      student: string;
      status: 'Pending' | 'Approved' | 'Rejected';
      askedAt: Date;
      decidedAt: Date | null;
    }>`
      select approval.id, approval.kind, approval.title, coalesce(student.name, '') as student, approval.status,
        approval.requested_at as "askedAt", approval.decided_at as "decidedAt"
      from approval left join student on student.id = approval.student_id
      where approval.requested_by = ${user.staffId} and not ${isEarlierStep(approvals)} and (approval.status = 'Pending'
        or approval.status in ('Approved', 'Rejected') and approval.decided_at > ${now()}::timestamptz - make_interval(days => ${decidedFor}))
      order by approval.status = 'Pending' desc, approval.requested_at desc, approval.id desc limit 5`.execute(db);
    return rows.map(({ id, kind, title, student, status, askedAt, decidedAt }) => {
      const { sets = [], isByRow } = approvals.find((one) => one.kind === kind) ?? {};
      const since = showDate(toLocalDate(askedAt));
      const decidedOn = decidedAt ? toLocalDate(decidedAt) : '';
      const day = showDate(decidedOn || today);
      const isToday = decidedOn === today;
      if (status === 'Pending')
        return {
          words: title,
          about: student,
          state: isByRow
            ? text`Waiting since ${{ since }}`
            : text`With ${{ decider: deciderOf(sets) }} since ${{ since }}`,
          tone: 'warn',
          to: `${inbox}?tab=own&request=${id}`,
        };
      const isApproved = status === 'Approved';
      const state = isApproved
        ? isToday
          ? text`Approved today`
          : text`Approved on ${{ day }}`
        : isToday
          ? text`Rejected today`
          : text`Rejected on ${{ day }}`;
      return {
        words: title,
        about: student,
        state,
        tone: isApproved ? 'good' : 'bad',
        to: `${inbox}?tab=decided&request=${id}`,
      };
    });
  },
};

/** Whether a request is a step that a later one of its subject follows, which says how that is. */
const isEarlierStep = (approvals: readonly ApprovalKind[]) =>
  sql<boolean>`(${sql.join(
    [
      sql`false`,
      ...approvals
        .filter(({ tellsItself }) => tellsItself)
        .map(
          ({ kind, subject }) => sql`(approval.kind = ${kind} and exists (select from approval later
            where later.${sql.ref(subject)} = approval.${sql.ref(subject)} and later.id > approval.id))`,
        ),
    ],
    sql` or `,
  )})`;

/** The first two permission sets that decide. */
function deciderOf([first, second]: readonly string[]): Text {
  const nameOf = (set: string) => setWords[set as PermissionSet].name;
  if (!first) return text`another person`;
  return second ? text`${{ first: nameOf(first) }} or ${{ second: nameOf(second) }}` : nameOf(first);
}

/** The requests that the user decides. */
export const approvalTodo: TodoSource = {
  kind: 'approval',
  title: text`Approvals`,
  icon: 'decision',
  roles: ['Staff'],
  find: async (ctx, most) => {
    if (ownKinds(ctx).length === 0) return { rows: [], total: 0, to: inbox };
    const { rows, ...found } = await first(ctx, inbox, {}, most);
    return {
      ...found,
      rows: rows.map(({ id, request, student, requestedBy, requestedOn }) => ({
        id,
        when: 'today',
        title: student || request,
        about: student ? request : '',
        detail: text`Asked by ${{ name: requestedBy }} on ${{ day: showDate(requestedOn) }}`,
        to: `${inbox}?request=${id}`,
        act: text`Decide`,
      })),
    };
  },
};
