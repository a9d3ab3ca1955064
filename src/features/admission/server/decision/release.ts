import { sql } from 'kysely';
import { fieldRefusal } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { atLocalHour } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { listComingRuns, stopComingRun } from '#kit/server/job/runs.ts';
import { processApi } from '../../contract/process.ts';
import { decisionKinds } from '../../contract/process-list.ts';
import { startSelected } from '../inquiry/send-selected.ts';
import { applicationsSelected } from './process-list.ts';
import { letterOfHeld, releaseKind } from './release-one.ts';

const notHeld = text`No decision is on hold.`;

export const release: Handler<typeof processApi.release> = async (ctx, { confirmToken, selection, day, hour }) => {
  const beginsAt = day === '' ? undefined : atLocalHour(day, Number((hour || '09:00').slice(0, 2)));
  if (beginsAt && beginsAt <= ctx.now()) throw fieldRefusal('day', text`Choose a time in the future.`);
  const told = {
    title: text`Release decisions`,
    path: '/school-erp/admission/process-admission?tab=held&academicYearId=0',
  };
  const run = { kind: releaseKind, told, access: processApi.release.access, ...(beginsAt && { beginsAt }) };
  const ids = await applicationsSelected(ctx, selection);
  const answer = await startSelected(
    ctx,
    { ...run, template: 'admission.decision' },
    { confirmToken, selection },
    async () => {
      const rows = await ctx.db
        .selectFrom('admission_inquiry')
        .where('id', '=', sql<number>`any(${ids}::integer[])`)
        .select(['id', 'version', 'inquiry_no', 'first_name', 'last_name', 'held_kind'])
        .orderBy('id')
        .execute();
      return rows.map((row) => ({ ...row, reason: row.held_kind ? undefined : notHeld }));
    },
  );
  return { ...answer, letters: confirmToken === undefined ? await exampleLetters(ctx, ids) : [] };
};

/** Of each kind of decision its number, and the letter of the first child. */
async function exampleLetters(ctx: UserContext, ids: readonly number[]) {
  const { rows } = await sql<{ kind: string; count: number; first: number }>`
    select held_kind as kind, count(*)::integer as count, min(id) as first from admission_inquiry
    where id = any(${ids}::integer[]) and held_kind is not null group by held_kind
    order by array_position(${[...decisionKinds]}::text[], held_kind)`.execute(ctx.db);
  const letters = await Promise.all(rows.map(({ first }) => letterOfHeld(ctx, first)));
  return rows.flatMap(({ count }, at) => {
    const letter = letters[at];
    return letter
      ? [{ kind: letter.kind, count, child: letter.child, subject: letter.subject, body: letter.body }]
      : [];
  });
}

export const releases: Handler<typeof processApi.releases> = async (ctx) => listComingRuns(ctx, releaseKind);

export const stopRelease: Handler<typeof processApi.stopRelease> = async (ctx, { id }) => {
  await stopComingRun(ctx, { id, kind: releaseKind });
  return {};
};
