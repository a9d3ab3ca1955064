import { showDate } from '#kit/contract/day.ts';
import { text } from '#kit/contract/text.ts';
import type { DashboardCard, TodoSource } from '#kit/server/dashboard.ts';
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
