import { sql } from 'kysely';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { clubApi } from '../contract/club.ts';

const count: Handler<typeof clubApi.count> = async ({ db }) => {
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from club`.execute(db);
  return { count: rows[0]?.count ?? 0 };
};

export default routes(clubApi, { count });
