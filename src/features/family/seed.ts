import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { SeedPlan } from '#database/seed/plan.ts';
import type { Context } from '#kit/server/context.ts';
import { extendLinks } from './api.ts';

/** Links of two thirds of the guardians, 380 of them with a proven phone, opened on weekday evenings; some have expired or were revoked. */
export async function seed(ctx: Context, _app: FastifyInstance, { today }: SeedPlan) {
  await ctx.db.transaction().execute(async (db) => {
    const { rows } = await sql<{ id: number }>`
      select distinct guardian_id as id from family_pairs(${today}) where guardian_id % 3 < 2 order by guardian_id`.execute(
      db,
    );
    const ids = rows.map(({ id }) => id);
    await extendLinks({ ...ctx, db }, ids);
    const moment = sql`(${today}::date - guardian_id % 60 + time '18:10')::timestamp at time zone 'Asia/Kolkata'`;
    await sql`update family_link set sent_at = ${moment}, expires_at = ${moment} + interval '180 days'`.execute(db);
    await sql`
      insert into family_opening (guardian_id, day, times)
      select guardian_id, day::date, 1 + (guardian_id % 3 = 0)::integer
      from family_link, generate_series(${today}::date - 45, ${today}::date - 1, interval '1 day') as day
      where guardian_id % 5 > 0 and extract(isodow from day) < 6
        and (guardian_id + extract(doy from day)::integer) % (2 + guardian_id % 7) = 0
        and day::date >= sent_at::date`.execute(db);
    await sql`
      update family_link set opened_first_at = opened.first + time '19:20', opened_last_at = opened.last + time '20:05'
      from (select guardian_id, min(day) as first, max(day) as last from family_opening group by guardian_id) as opened
      where opened.guardian_id = family_link.guardian_id`.execute(db);
    // No cookie has these values: none is of the shape of a token.
    await sql`insert into family_device (guardian_id, token_hash, proven_at, used_on, expires_at)
      select guardian_id, sha256(convert_to('demo phone ' || guardian_id, 'utf8')), opened_first_at, opened_last_at::date,
        opened_last_at + interval '400 days'
      from family_link where opened_first_at is not null order by guardian_id limit 380`.execute(db);
    // Ten changed the number themselves, and some chose how messages come.
    await sql`insert into guardian_contact_change (guardian_id, channel, old_value, new_value, proof, state, made_at)
      select guardian.id, 'sms', '98259' || lpad(guardian.id::text, 5, '0'), guardian.mobile, 'Both codes', 'Applied',
        school_now() - make_interval(days => guardian.id % 40)
      from family_device device join guardian on guardian.id = device.guardian_id
      where guardian.mobile <> '' and guardian.id % 13 = 0 order by guardian.id limit 10`.execute(db);
    await sql`insert into guardian_preference (guardian_id, set_by, channel, quiet_from, quiet_until, muted)
      select guardian_id, 'Guardian', case when guardian_id % 3 = 0 then 'email' else '' end, 21, 8,
        case when guardian_id % 4 = 0 then array['homework.digest', 'homework.reminder'] else '{}' end
      from family_device where guardian_id % 19 = 0 order by guardian_id limit 20
      on conflict (guardian_id) do update set channel = excluded.channel, quiet_from = excluded.quiet_from,
        quiet_until = excluded.quiet_until, muted = excluded.muted`.execute(db);
    // Some numbers are out of use, so that messages go by email or not at all.
    await sql`
      insert into message_trouble (guardian_id, channel, times, since, reason)
      select guardian_id, 'sms', 3, school_now() - make_interval(days => guardian_id % 9), 'Absent subscriber'
      from family_link where guardian_id % 17 = 0 order by guardian_id limit 9`.execute(db);
    const some = (rest: number, most: number) => sql`guardian_id in (
      select guardian_id from family_link where guardian_id % 11 = ${rest} order by guardian_id limit ${most})`;
    await sql`update family_link set expires_at = ${today}::date - 2 where ${some(3, 12)}`.execute(db);
    await sql`update family_link set revoked_at = school_now(), revoked_reason = 'The phone was lost' where ${some(5, 5)}`.execute(
      db,
    );
  });
}
