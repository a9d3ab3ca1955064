import { sql } from 'kysely';
import { inScope } from '#access/server/scope.ts';
import { showDate } from '#kit/contract/day.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import type { TodoSource } from '#kit/server/dashboard.ts';
import { toOutput } from '#kit/server/database/row-map.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { contains } from '#kit/server/list/pagination.ts';
import { serveList } from '#kit/server/list/record-list.ts';
import { containsName } from '#kit/server/search.ts';
import type { CertificateWord } from '../../contract/certificate.ts';
import { type CertificateState, certificateList } from '../../contract/certificate-list.ts';
import { leavingReaders } from '../../contract/leaving.ts';

/** The certificates of the branches that the user reaches. */
const listed = ({ db, user }: UserContext) =>
  db
    .selectFrom('student_certificate as own')
    .innerJoin('student', 'student.id', 'own.student_id')
    .where(inScope(user, leavingReaders, { branch: sql`own.branch_id` }))
    .select(['own.id', 'own.number', 'own.kind', 'own.issued_on', 'own.made_by', 'own.handed_to', 'own.run_id'])
    .select(['own.student_id', 'student.name as student', 'student.gr_no'])
    .select([
      sql<string>`coalesce(own.facts->>'currentClass', '')`.as('section'),
      sql<number>`(select count(*)::integer from student_certificate_copy where certificate_id = own.id)`.as('copies'),
      sql<string>`coalesce((select number from student_certificate where id = own.replaced_by_id), '')`.as(
        'replaced_by',
      ),
      sql<CertificateState>`case when own.voided_at is not null then 'Void'
        when own.handed_out_on is not null then 'Handed out' else 'Issued' end`.as('state'),
    ]);
type Row = Awaited<ReturnType<ReturnType<typeof listed>['executeTakeFirstOrThrow']>>;

export const { routes: certificateListRoutes } = serveList(certificateList, (ctx) => ({
  query: listed(ctx),
  id: 'own.id',
  isPeople: true,
  matches: (word) => sql`(${containsName('student', word)} or own.number ilike ${contains(word)}
    or lower(student.gr_no) = lower(${word}))`,
  tabs: {
    all: undefined,
    waiting: sql`(own.handed_out_on is null and own.voided_at is null)`,
    void: sql`own.voided_at is not null`,
  },
  filters: {
    kind: (kind) => sql`own.kind = ${kind}`,
    yearId: (id) => sql`exists (select from academic_year year where year.id = ${Number(id)}
      and own.issued_on between year.starts_on and year.ends_on)`,
    branchId: (id) => sql`own.branch_id = ${Number(id)}`,
  },
  sorts: { issuedOn: { by: sql`own.issued_on`, as: 'date' } },
  toRows: async (rows: Row[]) =>
    rows.map((row) => toOutput(certificateList.row, row, { kind: row.kind as CertificateWord, by: row.made_by })),
}));

/** Days after which a leaving certificate that nobody took is to do. */
const waits = 7;

export const handOutTodo: TodoSource = {
  kind: 'student.certificate',
  title: text`Leaving certificates not handed out`,
  icon: 'document',
  roles: ['Staff'],
  sets: ['office'],
  find: async (ctx, most) => {
    const day = addDays(toLocalDate(ctx.now()), -waits);
    const waiting = listed(ctx)
      .where('own.kind', '=', 'Leaving')
      .where('own.handed_out_on', 'is', null)
      .where('own.voided_at', 'is', null)
      .where('own.issued_on', '<=', day);
    const rows = await waiting.orderBy('own.issued_on').orderBy('own.id').limit(most).execute();
    const total =
      rows.length < most
        ? rows.length
        : (
            await waiting
              .clearSelect()
              .select(({ fn }) => fn.countAll<number>().as('count'))
              .executeTakeFirstOrThrow()
          ).count;
    return {
      rows: rows.map((row) => ({
        id: row.id,
        when: 'late',
        title: row.student,
        about: row.section,
        detail: text`Hand out ${{ number: row.number }}, issued on ${{ day: showDate(row.issued_on) }}`,
        to: `student/student-list/${row.student_id}?part=papers`,
        act: text`Open`,
      })),
      total: Number(total),
      to: 'student/certificate-list?tab=waiting',
    };
  },
};
