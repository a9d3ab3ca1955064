import { expressionBuilder, type RawBuilder, sql } from 'kysely';
import type { DB } from '#database/types.ts';
import { isCounted } from '#features/calendar/api.ts';
import { text } from '#kit/contract/text.ts';
import type { EndingYear, UserContext, YearEndCount, YearEndLine } from '#kit/server/context.ts';

const sets = ['office', 'principal', 'accountant'];
const approval = expressionBuilder<DB, 'approval'>();

/** Requests whose approval writes into the year, which it then could not. */
export const writesInto = ({ approvals }: UserContext, { id }: Pick<EndingYear, 'id'>) =>
  sql<boolean>`(${sql.join(
    [
      sql`false`,
      ...approvals.flatMap(({ kind, subject, isOfYear }) =>
        isOfYear
          ? [sql`(approval.kind = ${kind} and ${isOfYear(id, approval.ref(`approval.${subject}`) as never)})`]
          : [],
      ),
    ],
    sql` or `,
  )})`;

/** The pending requests that meet a condition, with the three most frequent kinds. */
async function countPending(
  ctx: UserContext,
  year: EndingYear,
  condition: RawBuilder<boolean>,
  to: string,
): Promise<YearEndCount> {
  const { rows } = await sql<{ kind: string; number: number; total: number }>`
    select kind, count(*)::integer as number, (sum(count(*)) over ())::integer as total from approval
    where status = 'Pending' and ${isCounted(year, sql`approval.branch_id`)} and ${condition}
    group by kind order by count(*) desc, kind limit 3`.execute(ctx.db);
  return {
    open: rows[0]?.total ?? 0,
    names: rows.flatMap(({ kind, number }) => {
      const title = ctx.approvals.find((one) => one.kind === kind)?.title;
      return title ? [text`${{ kind: title }}: ${{ number: String(number) }}`] : [];
    }),
    to,
  };
}

const ofYear: YearEndLine = {
  key: 'approval.of-year',
  title: text`Requests that write into the year`,
  at: 'blocks',
  fate: text`approve or reject each`,
  act: text`Open`,
  sets,
  count: (ctx, year) => countPending(ctx, year, writesInto(ctx, year), `approval/inbox?yearId=${year.id}`),
};

const others: YearEndLine = {
  key: 'approval.others',
  title: text`Other requests for approval`,
  at: 'says',
  fate: text`can be decided later`,
  act: text`Open`,
  sets,
  count: (ctx, year) => countPending(ctx, year, sql<boolean>`not ${writesInto(ctx, year)}`, 'approval/inbox'),
};

export const approvalYearEnd = [ofYear, others];
