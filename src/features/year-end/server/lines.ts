import { sql } from 'kysely';
import type { EndingYear, UserContext, YearEndLine } from '#kit/server/context.ts';
import type { OpenLine } from '../contract/year-end.ts';

/** The time of one line; a slower one counts as failed. Below that of a connection, which would end the whole answer. */
const mostMilliseconds = 4000;

/** The lines that a user reads: every one for an Admin, who must know them all to close the year. */
const linesOf = ({ yearEnd, user }: UserContext) =>
  user.role === 'Admin' ? yearEnd : yearEnd.filter(({ sets }) => sets.some((set) => user.sets.includes(set)));

/**
 * What a year still has open, line by line in a transaction. A line that fails takes no other with it; it blocks, since
 * nobody knows what it would have found.
 */
export async function readLines(
  ctx: UserContext,
  year: EndingYear,
  isRead: (line: YearEndLine) => boolean = () => true,
): Promise<OpenLine[]> {
  const isAdmin = ctx.user.role === 'Admin';
  const { rows } = await sql<{ before: string }>`select current_setting('statement_timeout') as before`.execute(ctx.db);
  const setTimeout = (time: string) => sql`select set_config('statement_timeout', ${time}, true)`.execute(ctx.db);
  await setTimeout(String(mostMilliseconds));
  const found: OpenLine[] = [];
  for (const { count, sets: _, isForAdmins, ...words } of linesOf(ctx).filter(isRead)) {
    await sql`savepoint line`.execute(ctx.db);
    try {
      const counted = await count(ctx, year);
      await sql`release savepoint line`.execute(ctx.db);
      if (!counted) continue;
      const { amount, names = [], to = '', ...figures } = counted;
      const isWhole = !isAdmin || isForAdmins === true;
      found.push({
        ...words,
        ...figures,
        ...(amount !== undefined && !isAdmin && { amount }),
        names: isWhole ? [...names] : [],
        to: isWhole ? to : '',
      });
    } catch (error) {
      await sql`rollback to savepoint line`.execute(ctx.db);
      await sql`release savepoint line`.execute(ctx.db);
      ctx.logSurvived(error);
      found.push({ ...words, at: 'blocks', open: null, names: [], to: '' });
    }
  }
  await setTimeout(rows[0]?.before ?? '0');
  return found;
}

export const isOpen = ({ open }: Pick<OpenLine, 'open'>) => open !== 0;
