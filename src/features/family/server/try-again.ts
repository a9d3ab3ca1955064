import { sql } from 'kysely';
import { mostSkippedShown } from '#kit/contract/bulk.ts';
import { text } from '#kit/contract/text.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { auditEach } from '#kit/server/security/audit.ts';
import { troubleApi } from '../contract/trouble.ts';
import { guardiansSelected } from './link-list.ts';

const arrives = text`No number or address is left out.`;

/** Earlier failures do not count any more: the next message is tried. */
const tryAgain: Handler<typeof troubleApi.tryAgain> = (ctx, { selection, confirmToken }) =>
  previewOrApply(ctx, confirmToken, async () => {
    const ids = await guardiansSelected(ctx, selection);
    const { rows } = await sql<{ guardianId: number; channel: string }>`
      with left_out as (
        select guardian_id, channel from message_trouble where guardian_id = any(${ids}::integer[]) and since is not null
        order by guardian_id, channel for update)
      update message_trouble trouble set since = null, times = 0, reason = '', counts_from = ${ctx.now()}
      from left_out where trouble.guardian_id = left_out.guardian_id and trouble.channel = left_out.channel
      returning trouble.guardian_id as "guardianId", trouble.channel`.execute(ctx.db);
    const tried = [...new Set(rows.map(({ guardianId }) => guardianId))].sort((one, other) => one - other);
    const skipped = await ctx.db
      .selectFrom('guardian')
      .where('id', '=', sql<number>`any(${ids.filter((id) => !tried.includes(id))}::integer[])`)
      .select(['id', 'name'])
      .orderBy('id')
      .execute();
    await auditEach(ctx, { action: 'family.channel.tried', entity: 'guardian' }, tried);
    return {
      answer: {
        changed: tried.length,
        skipped: skipped.slice(0, mostSkippedShown).map((row) => ({ ...row, reason: arrives })),
        skippedCount: skipped.length,
      },
      basis: [selection, tried],
      isRefused: tried.length === 0,
    };
  });

export const tryAgainRoutes = routes(troubleApi, { tryAgain });
