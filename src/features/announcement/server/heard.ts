import { AppError } from '#kit/contract/errors.ts';
import { showHour } from '#kit/contract/setting.ts';
import type { Text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { localHour, toLocalDate } from '#kit/server/day.ts';
import { afterQuietHours, quietHours } from '#kit/server/messages/quiet-hours.ts';
import { readSettings } from '#kit/server/settings.ts';
import { announcementMessages as messages } from '../contract/announcement.ts';
import { isAnswered } from '../contract/asks.ts';
import type { Reach } from '../contract/audience.ts';
import type { Locked } from './save.ts';

type Notice = Pick<Locked, 'priority' | 'publish_at' | 'expires_at' | 'is_page_only' | 'asks' | 'acknowledge_by'>;

/** Whether no message reaches a guardian of an announcement that is not for the page only. */
export const isUnheard = (
  { is_page_only }: Pick<Notice, 'is_page_only'>,
  { guardians, emails, texts }: Reach,
): boolean => !is_page_only && guardians > 0 && emails + texts === 0;

/**
 * Why an announcement may not go out as it is stored: it has expired, reaches no guardian by its messages, or expires before
 * they may leave after the quiet hours; undefined where it may.
 */
export async function whyNotOut(ctx: UserContext, notice: Notice, reach: Reach): Promise<Text | undefined> {
  const { priority, publish_at, expires_at } = notice;
  if (expires_at && expires_at <= ctx.now()) return messages.hasEnded;
  const startsOn = toLocalDate(publish_at && publish_at > ctx.now() ? publish_at : ctx.now());
  if (isAnswered(notice.asks) && (notice.acknowledge_by ?? '') < startsOn) return messages.lastDayPassed;
  if (isUnheard(notice, reach)) return messages.unheard;
  if (reach.emails + reach.texts === 0 || !expires_at || priority === 'Emergency') return undefined;
  const starts = publish_at && publish_at > ctx.now() ? publish_at : ctx.now();
  const sends = afterQuietHours(starts, await readSettings(ctx, quietHours));
  return expires_at <= sends ? messages.noMessage(showHour(localHour(sends))) : undefined;
}

/** Refuses to let an announcement out that may not go out as it is stored. */
export async function requireOut(ctx: UserContext, notice: Notice, reach: Reach) {
  const reason = await whyNotOut(ctx, notice, reach);
  if (reason) throw new AppError('conflict', reason);
}
