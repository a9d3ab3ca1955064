import { sql } from 'kysely';
import type { Context } from '#kit/server/context.ts';

export interface HeldCheque {
  number: string;
  bank: string;
  datedOn: string;
  amount: number;
}

/** Cheques of later days that the school keeps and that pay nothing yet, by student; those that had come by a day. */
export async function readHeldCheques(
  { db }: Pick<Context, 'db'>,
  studentIds: readonly number[],
  on: string,
): Promise<Map<number, HeldCheque[]>> {
  const { rows } = await sql<HeldCheque & { studentId: number }>`
    select student_id as "studentId", number, bank, dated_on as "datedOn", amount from fee_cheque
    where student_id = any(${studentIds}::integer[]) and status = 'Held' and received_on <= ${on}::date
    order by dated_on, number`.execute(db);
  const by = Map.groupBy(rows, ({ studentId }) => studentId);
  return new Map([...by].map(([id, own]) => [id, own.map(({ studentId: _, ...cheque }) => cheque)]));
}
