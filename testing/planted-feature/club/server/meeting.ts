import { sql } from 'kysely';
import type { DB } from '#database/types.ts';
import { AppError, notFoundMessage } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { DashboardCard } from '#kit/server/dashboard.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { serveList } from '#kit/server/list/record-list.ts';
import { meetingApi, meetingList } from '../contract/meeting.ts';

const record: Handler<typeof meetingApi.record> = async ({ db }, { id }) => {
  const { rows } = await sql<{ id: number; name: string }>`select id, name from club_meeting where id = ${id}`.execute(
    db,
  );
  if (!rows[0]) throw new AppError('not_found', notFoundMessage);
  return rows[0];
};

const list = serveList(meetingList, ({ db }) => ({
  query: db.selectFrom('club_meeting' as keyof DB).select(['club_meeting.id', 'club_meeting.name'] as never[]) as never,
  id: 'club_meeting.id',
  isPeople: true,
  matches: (word: string) => sql<boolean>`lower(name) like ${`%${word}%`}`,
  tabs: { all: undefined },
  filters: {},
  sorts: { name: { by: sql`lower(club_meeting.name)`, as: 'text' } },
  toRows: async (rows: { id: number; name: string }[]) => rows,
}));

export const meetingRoutes = [...routes(meetingApi, { record }), ...list.routes];

export const meetingCard: DashboardCard = {
  title: text`Planted meetings`,
  roles: ['Staff'],
  sets: ['office'],
  count: async ({ db }) => {
    const { rows } = await sql<{ count: number }>`select count(*)::integer as count from club_meeting`.execute(db);
    return [{ label: text`Planted meetings`, value: rows[0]?.count ?? 0, to: 'club/meeting-list' }];
  },
};
