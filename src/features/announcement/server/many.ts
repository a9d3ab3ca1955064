import { sql } from 'kysely';
import { mostSkippedShown } from '#kit/contract/bulk.ts';
import { AppError } from '#kit/contract/errors.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { announcementMessages as messages } from '../contract/announcement.ts';
import { manyApi } from '../contract/many.ts';
import { announcementsSelected } from './list.ts';
import { withdrawLocked } from './publish.ts';
import { remindReaders } from './remind.ts';
import type { Locked } from './save.ts';

/** A run is started for each. */
const mostReminded = 20;
const tooManyAtOnce = text`Only ${{ most: mostReminded }} at once.`;

/** The selected announcements, locked in the order of their ids. */
async function lockSelected({ db }: UserContext, ids: readonly number[]): Promise<(Locked & { title: string })[]> {
  const { rows } = await sql<Locked & { title: string }>`
    select notice.*, own.title from announcement notice
    join announcement_version own on own.announcement_id = notice.id and own.number = notice.current_version
    where notice.id = any(${[...ids]}::integer[]) order by notice.id for update of notice`.execute(db);
  return rows;
}

const answerOf = (changed: readonly Locked[], skipped: readonly { id: number; name: string; reason: Text }[]) => ({
  answer: { changed: changed.length, skipped: skipped.slice(0, mostSkippedShown), skippedCount: skipped.length },
  basis: [changed.map(({ id, version }) => [id, version]), skipped.map(({ id, reason }) => [id, reason.id])],
  isRefused: changed.length === 0,
});

const withdrawMany: Handler<typeof manyApi.withdrawMany> = async (ctx, { selection, reason, confirmToken }) => {
  const ids = await announcementsSelected(ctx, selection);
  return previewOrApply(ctx, confirmToken, async () => {
    const rows = await lockSelected(ctx, ids);
    const isOut = ({ state }: Locked) => state === 'Ready';
    const able = rows.filter(isOut);
    const skipped = rows.flatMap((row) =>
      isOut(row) ? [] : [{ id: row.id, name: row.title, reason: messages.notOut }],
    );
    if (able.length > 0)
      await withdrawLocked(
        ctx,
        able.map(({ id }) => id),
        reason,
      );
    return answerOf(able, skipped);
  });
};

const remindMany: Handler<typeof manyApi.remindMany> = async (ctx, { selection, confirmToken }) => {
  const ids = await announcementsSelected(ctx, selection);
  return previewOrApply(ctx, confirmToken, async () => {
    const rows = await lockSelected(ctx, ids);
    const reminded: Locked[] = [];
    const skipped: { id: number; name: string; reason: Text }[] = [];
    for (const row of rows) {
      const skip = (reason: Text) => skipped.push({ id: row.id, name: row.title, reason });
      if (reminded.length === mostReminded) {
        skip(tooManyAtOnce);
        continue;
      }
      try {
        await remindReaders(ctx, row);
        reminded.push(row);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        skip(error.text);
      }
    }
    return answerOf(reminded, skipped);
  });
};

export const manyRoutes = routes(manyApi, { withdrawMany, remindMany });
