import { sql } from 'kysely';
import type { Handler } from '#kit/server/http/routes.ts';
import { notFound } from '#kit/server/record/version.ts';
import type { approvalApi } from '../contract/approval.ts';
import { describeSome, requestsOf, seenOf } from './decide.ts';
import { kindOf } from './request.ts';
import { decidable } from './scope.ts';

export const read: Handler<typeof approvalApi.read> = async (ctx, { id }) => {
  const found = await requestsOf(ctx)
    .where('approval.id', '=', id)
    .leftJoin('staff as requester', 'requester.id', 'approval.requested_by')
    .leftJoin('guardian as asker', (join) =>
      join.on(sql`asker.id`, '=', sql`guardian_now(approval.requested_by_guardian_id)`),
    )
    .leftJoin('staff as decider', 'decider.id', 'approval.decided_by')
    .leftJoin('student', 'student.id', 'approval.student_id')
    .select([
      sql<string>`coalesce(requester.name, asker.name)`.as('requestedBy'),
      'student.name as student',
      'student.gr_no as grNo',
    ])
    .select(sql<string>`coalesce(decider.name, '')`.as('decidedBy'))
    .select([
      sql<number | null>`(select min(approval.id) from approval where ${decidable(ctx)} and approval.id > ${id})`.as(
        'next',
      ),
      sql<number | null>`(select max(approval.id) from approval where ${decidable(ctx)} and approval.id < ${id})`.as(
        'previous',
      ),
    ])
    .executeTakeFirstOrThrow(notFound);
  const kind = kindOf(ctx, found.kind);
  const description = (await describeSome(ctx, kind, [found]))(found);
  const isPending = found.status === 'Pending';
  const { version, title, amount, reason, requestedBy, status, decidedBy, remark, next, previous } = found;
  return {
    id,
    version,
    kind: kind.title,
    title,
    student:
      found.student_id === null ? null : { id: found.student_id, name: found.student ?? '', grNo: found.grNo ?? '' },
    amount,
    reason,
    requestedBy,
    requestedAt: found.requested_at.toISOString(),
    status,
    decidedBy,
    decidedAt: found.decided_at?.toISOString() ?? '',
    remark,
    facts: description.facts,
    effect: isPending ? [...description.effect] : [],
    to: description.to,
    seen: seenOf(found, description),
    next,
    previous,
    may: { decide: found.isForMe, withdraw: isPending && found.requested_by === ctx.user.staffId },
  };
};
