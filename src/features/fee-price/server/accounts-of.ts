import { sql } from 'kysely';

/** In a query: the account of a child and those of the records that were merged into it, each under the id of the child. */
export const accountsOf = (child: unknown) => sql`(select own.id, ${child}::integer as student_id from fee_account own
  where own.student_id in (select id from student where id = ${child} or merged_into_id = ${child}))`;
