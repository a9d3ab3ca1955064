import { sql } from 'kysely';
import { newsApi } from '#features/admission-form/contract/news.ts';
import { AppError } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { countHit } from '#kit/server/security/limits.ts';
import { findChoice, mayChoose } from '../interaction/find-choice.ts';
import { lettersFile, readLetter } from '../letter/letter.ts';

const read: Handler<typeof newsApi.read> = async (ctx) => {
  const { id } = ctx.inquiry;
  const { rows: meetings } = await sql<{ startsAt: string; endsAt: string; place: string }>`
    select to_json(own.starts_at) #>> '{}' as "startsAt", to_json(own.ends_at) #>> '{}' as "endsAt",
      coalesce(room.name, slot.place) as place
    from admission_interaction own join admission_slot slot on slot.id = own.slot_id
    left join academic_room room on room.id = slot.room_id
    where own.inquiry_id = ${id} and own.status = 'Planned' and own.ends_at > ${ctx.now()}
    order by own.starts_at limit 5`.execute(ctx.db);
  const offer = await ctx.db
    .selectFrom('admission_inquiry as inquiry')
    .innerJoin('admission_seat as seat', 'seat.id', 'inquiry.seat_id')
    .where('inquiry.id', '=', id)
    .where('inquiry.state', '=', 'Offered')
    .select(['inquiry.offer_expires_on', 'seat.admission_fee'])
    .executeTakeFirst();
  const letter = await readLetter(ctx, id);
  const choice = await findChoice(ctx, id);
  return {
    meetings,
    letter: letter ? { subject: letter.subject, body: letter.body, on: letter.on } : null,
    replyBy: offer?.offer_expires_on ?? '',
    due: Number(offer?.admission_fee ?? 0),
    choice:
      choice && mayChoose(choice, ctx.now())
        ? { until: choice.until.toISOString(), isChosen: choice.planned !== null }
        : null,
  };
};

const prints = { kind: 'admission-letter-link', most: 20, windowSeconds: 3600 };

const letter: Handler<typeof newsApi.letter> = async (ctx) => {
  const released = await readLetter(ctx, ctx.inquiry.id);
  if (!released) throw new AppError('conflict', text`There is no letter yet.`);
  const wait = await countHit(ctx.db, prints, String(ctx.inquiry.id));
  if (wait > 0) throw new AppError('too_many_tries', text`Too many attempts. Try again later.`, { retryAfter: wait });
  return lettersFile(ctx, [released]);
};

export const newsRoutes = routes(newsApi, { read, letter });
