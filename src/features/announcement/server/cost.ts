import { sql } from 'kysely';
import { channelOrder, languagesOfReaders, smsPaise } from '#features/family/api.ts';
import { segmentsOf } from '#kit/contract/segments.ts';
import type { Context } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { smsWriter } from '#kit/server/messages/text-message.ts';
import { readSetting } from '#kit/server/settings.ts';
import { exampleLink, kindOf, noticeText } from './message.ts';

export interface Cost {
  emails: number;
  texts: number;
  parts: number;
  paise: number;
}

/**
 * The messages of a stored announcement to its guardians, or to those of a list: by its own channels or by both. Each text
 * message is written for its reader, so that its parts are those that are paid for.
 */
export async function costOf(
  ctx: Context,
  id: number,
  { byBoth = false, only }: { byBoth?: boolean; only?: readonly number[] } = {},
): Promise<Cost> {
  const today = toLocalDate(ctx.now());
  const { rows: own } = await sql<{ priority: string; title: string; school: string; phone: string }>`
    select notice.priority, own.title, school.name as school, school.phone
    from announcement notice cross join academic_school school
    join announcement_version own on own.announcement_id = notice.id and own.number = notice.current_version
    where notice.id = ${id}`.execute(ctx.db);
  const { rows } = await sql<{ guardianId: number; channel: string; names: string[] }>`
    with pair as materialized (select guardian_id, student_id from announcement_pairs(${id}, ${today}::date)
      where ${only === undefined} or guardian_id = any(${[...(only ?? [])]}::integer[])),
    way as materialized (
      select way.* from announcement notice
      cross join lateral family_ways(array(select guardian_id from pair order by guardian_id, student_id),
        array(select student_id from pair order by guardian_id, student_id), 'announcement.notice',
        array(select one from unnest(${channelOrder.Normal}::text[]) with ordinality as channel (one, place)
          where ${byBoth} or case one when 'email' then notice.sends_email else notice.sends_sms end order by place),
        notice.priority = 'Emergency') as way
      where notice.id = ${id} and way.address <> '' and way.reason = ''),
    named as materialized (
      select pair.guardian_id, array_agg(child.first_name order by child.birth_date, child.id) as names
      from pair
      join student_guardian link on link.guardian_id = pair.guardian_id and link.student_id = pair.student_id and link.receives_messages
      join student child on child.id = pair.student_id
      group by pair.guardian_id)
    select way.guardian_id as "guardianId", way.channel, coalesce(named.names, '{}') as names
    from way left join named on named.guardian_id = way.guardian_id`.execute(ctx.db);
  const texts = rows.filter(({ channel }) => channel === 'sms');
  const { priority, ...notice } = own[0] ?? { priority: '', title: '', school: '', phone: '' };
  const kind = kindOf(priority === 'Emergency');
  const write = await smsWriter(ctx, kind);
  const languageOf = await languagesOfReaders(
    ctx,
    texts.map(({ guardianId }) => guardianId),
  );
  const link = exampleLink(ctx.publicUrl);
  const parts = texts.reduce((sum, { guardianId, names }) => {
    const sms = noticeText({ ...notice, names, ...link }, kind);
    return sum + segmentsOf(write({ subject: sms, paragraphs: [], sms }, languageOf(guardianId)).text);
  }, 0);
  const price = await readSetting(ctx, smsPaise);
  return { emails: rows.length - texts.length, texts: texts.length, parts, paise: parts * price };
}
