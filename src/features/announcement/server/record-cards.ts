import { sql } from 'kysely';
import { studentCard } from '#features/student/contract/cards.ts';
import { showDate } from '#kit/contract/day.ts';
import { text, verbatim } from '#kit/contract/text.ts';
import type { ServedCard, UserContext } from '#kit/server/context.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import type { announcementApi } from '../contract/announcement.ts';
import { writers } from '../contract/words.ts';
import { recipients } from './figures.ts';
import { isKept, isWritten } from './scope.ts';

const mostRows = 10;

interface Sent {
  id: number;
  title: string;
  publishAt: Date;
  asks: boolean;
  isRead: boolean;
  isAcknowledged: boolean;
}

/** The released announcements that meet a condition, the newest first, with whether one of these recipients has read them. */
async function sentTo(ctx: UserContext, which: ReturnType<typeof sql>, condition: ReturnType<typeof sql>) {
  const { rows } = await sql<Sent>`
    with sent as materialized (
      select notice.id, notice.publish_at, notice.needs_acknowledgement
      from announcement notice
      where notice.released_at is not null and ${condition} and exists (
        select from announcement_recipient reader where reader.announcement_id = notice.id and reader.removed_at is null and ${which})
      order by notice.publish_at desc, notice.id desc limit ${mostRows}),
    reader as (${recipients(sql`array(select id from sent)`)})
    select sent.id, own.title, sent.publish_at as "publishAt", sent.needs_acknowledgement as asks,
      bool_or(reader.seen_at is not null) as "isRead", bool_or(reader.acknowledged_at is not null) as "isAcknowledged"
    from sent
    join announcement notice on notice.id = sent.id
    join announcement_version own on own.announcement_id = sent.id and own.number = notice.current_version
    join reader on reader.announcement_id = sent.id and ${which}
    group by sent.id, own.title, sent.publish_at, sent.needs_acknowledgement
    order by sent.publish_at desc, sent.id desc`.execute(ctx.db);
  return rows;
}

const stateOf = ({ asks, isRead, isAcknowledged }: Sent) =>
  isAcknowledged ? text`Acknowledged` : asks ? text`Not acknowledged` : isRead ? text`Read` : text`Not read`;

/** The announcements about a student that the user wrote or keeps, and whether a guardian has read them. */
export const studentAnnouncements: ServedCard = {
  card: studentCard('announcement', 'now', 70, text`Announcements`, writers),
  read: async (ctx, id, { from, to }) => {
    const first = from || addDays(toLocalDate(ctx.now()), -90);
    const rows = await sentTo(
      ctx,
      sql`exists (select from announcement_recipient_child child where child.recipient_id = reader.id and child.student_id = ${id})`,
      sql`${isWritten(ctx)} and notice.publish_at >= ${first}::date and notice.publish_at < ${to || toLocalDate(ctx.now())}::date + 1`,
    );
    return {
      asOf: '',
      facts: [],
      table:
        rows.length === 0
          ? null
          : {
              heads: [text`Published`, text`Announcement`, text`State`],
              rows: rows.map((row) => [
                verbatim(showDate(toLocalDate(row.publishAt))),
                verbatim(row.title),
                stateOf(row),
              ]),
            },
      to: '',
      empty: text`No announcements in the last 90 days.`,
    };
  },
};

/** The announcements to a member of staff, of those that the user keeps. */
export const ofStaff: Handler<typeof announcementApi.ofStaff> = async (ctx, { staffId }) => {
  const rows = await sentTo(ctx, sql`reader.staff_id = ${staffId}`, isKept(ctx));
  return {
    rows: rows.map(({ publishAt, ...row }) => ({ ...row, publishedOn: toLocalDate(publishAt) })),
  };
};
