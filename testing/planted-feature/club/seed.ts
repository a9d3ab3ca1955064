import { sql } from 'kysely';
import type { Context } from '#kit/server/context.ts';

export async function seed({ db }: Context) {
  await sql`insert into club (name) values ('Planted chess')`.execute(db);
}
