import { sql } from 'kysely';
import { showDate } from '#kit/contract/day.ts';
import type { TodayFact } from '#kit/contract/served-card.ts';
import { type Text, text, verbatim } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { PresenceKind } from '../contract/presence.ts';
import { showDays } from './cost.ts';
import { balancesOf } from './person.ts';

interface Now {
  kind: PresenceKind | null;
  inAt: string;
  /** The last day of the leave that the person has today. */
  awayUntil: string | null;
  /** The next leave, asked or granted. */
  next: { fromDay: string; toDay: string; isAsked: boolean } | null;
}

/** Whether a person is at school today, and the days of leave that are left. */
export async function staffToday(ctx: UserContext, id: number): Promise<TodayFact[]> {
  const day = toLocalDate(ctx.now());
  const { rows } = await sql<Now>`
    select mark.kind, coalesce(to_char(mark.in_at, 'HH24:MI'), '') as "inAt",
      (select max(leave.to_day)::text from workday_leave leave where leave.staff_id = ${id} and leave.state = 'Granted'
        and ${day}::date between leave.from_day and leave.to_day) as "awayUntil",
      (select json_build_object('fromDay', leave.from_day, 'toDay', leave.to_day, 'isAsked', leave.state = 'Asked')
        from workday_leave leave where leave.staff_id = ${id} and leave.state in ('Asked', 'Granted')
          and leave.from_day > ${day}::date
        order by leave.from_day, leave.id limit 1) as next
    from (values (1)) as one left join workday_presence mark on mark.staff_id = ${id} and mark.day = ${day}::date`.execute(
    ctx.db,
  );
  const { kind = null, inAt = '', awayUntil = null, next = null } = rows[0] ?? {};
  const balances = (await balancesOf(ctx, id, day)).filter(({ earned }) => earned > 0);
  const facts: TodayFact[] = [];
  if (kind || awayUntil)
    facts.push({
      label: text`Today`,
      value: kind ? { id: kind } : text`On leave`,
      detail: detailOf(day, inAt, kind ? null : awayUntil),
      isLate: false,
    });
  if (balances.length > 0)
    facts.push({
      label: text`Leave`,
      value: text`${{ days: showDays(balances.reduce((sum, { left }) => sum + left, 0)) }} days left`,
      detail: next ? nextWords(next) : verbatim(''),
      isLate: false,
    });
  return facts;
}

function detailOf(day: string, inAt: string, awayUntil: string | null): Text {
  if (awayUntil && awayUntil > day) return text`until ${{ day: showDate(awayUntil) }}`;
  return inAt && !awayUntil ? text`in at ${{ time: inAt }}` : verbatim('');
}

const nextWords = ({ fromDay, toDay, isAsked }: NonNullable<Now['next']>): Text => {
  const [from, to] = [showDate(fromDay), showDate(toDay)];
  if (fromDay === toDay) return isAsked ? text`asked for ${{ from }}` : text`away on ${{ from }}`;
  return isAsked ? text`asked for ${{ from }} to ${{ to }}` : text`away ${{ from }} to ${{ to }}`;
};
