import { sql } from 'kysely';
import { inScope } from '#access/server/scope.ts';
import type { User, UserContext } from '#kit/server/context.ts';
import { toOutput } from '#kit/server/database/row-map.ts';
import { daysBetween, toLocalDate } from '#kit/server/day.ts';
import { contains } from '#kit/server/list/pagination.ts';
import { serveList } from '#kit/server/list/record-list.ts';
import { containsName } from '#kit/server/search.ts';
import { accountReaders } from '../../contract/account.ts';
import { accountList } from '../../contract/account-list.ts';

/** True in a query of the applications whose accounts the user may see. */
export const isAccountReached = (user: User) => inScope(user, accountReaders, { branch: sql`inquiry.branch_id` });

const applicationsOf = ({ db, user }: UserContext) =>
  db
    .selectFrom('admission_inquiry as inquiry')
    .where(isAccountReached(user))
    .where('inquiry.state', 'in', ['Seat confirmed', 'Admitted'])
    .select(['inquiry.id', 'inquiry.inquiry_no', 'inquiry.quota'])
    .select(sql<string>`trim(coalesce(inquiry.first_name, '') || ' ' || coalesce(inquiry.last_name, ''))`.as('child'))
    .select(({ selectFrom }) => [
      selectFrom('academic_grade').whereRef('id', '=', 'inquiry.grade_id').select('name').as('grade'),
      selectFrom('academic_year').whereRef('id', '=', 'inquiry.academic_year_id').select('name').as('academic_year'),
      selectFrom('academic_branch').whereRef('id', '=', 'inquiry.branch_id').select('name').as('branch'),
      selectFrom('student').whereRef('id', '=', 'inquiry.student_id').select('gr_no').as('gr_no'),
      selectFrom('student').whereRef('id', '=', 'inquiry.student_id').select('admitted_on').as('admitted_on'),
      selectFrom('admission_payment')
        .whereRef('inquiry_id', '=', 'inquiry.id')
        .where('reversed_at', 'is', null)
        .select('slip_no')
        .as('slip_no'),
      selectFrom('admission_payment')
        .whereRef('inquiry_id', '=', 'inquiry.id')
        .where('reversed_at', 'is', null)
        .select('paid_on')
        .as('paid_on'),
    ])
    .select([
      sql<number>`(select count(*) from admission_document where inquiry_id = inquiry.id)::integer`.as('documents'),
      sql<number>`(select count(*) from admission_document document
        join admission_document_verdict verdict on verdict.document_id = document.id and verdict.result = 'Verified'
        where document.inquiry_id = inquiry.id)::integer`.as('verified'),
    ]);

type Row = Awaited<ReturnType<ReturnType<typeof applicationsOf>['executeTakeFirstOrThrow']>>;

export const {
  routes: accountListRoutes,
  selected: applicationsSelected,
  figures: accountFigures,
  first: firstAccounts,
} = serveList(accountList, (ctx) => {
  const today = toLocalDate(ctx.now());
  return {
    query: applicationsOf(ctx),
    id: 'inquiry.id',
    isPeople: true,
    matches: (word) =>
      sql`(${containsName('inquiry', word)} or inquiry.search_text like lower(${contains(word)})
        or inquiry.student_id in (select id from student where lower(gr_no) = lower(${word})))`,
    tabs: {
      toCreate: sql<boolean>`inquiry.state = 'Seat confirmed'`,
      created: sql<boolean>`inquiry.state = 'Admitted'`,
    },
    filters: {
      academicYearId: (id) => sql`inquiry.academic_year_id = ${Number(id)}`,
      branchId: (id) => sql`inquiry.branch_id = ${Number(id)}`,
      gradeId: (id) => sql`inquiry.grade_id = ${Number(id)}`,
      quota: (quota) => sql`inquiry.quota = ${quota}`,
    },
    sorts: {
      child: { by: sql`lower(coalesce(inquiry.first_name, '') || ' ' || coalesce(inquiry.last_name, ''))`, as: 'text' },
      inquiryNo: { by: sql`inquiry.inquiry_no`, as: 'text' },
    },
    toRows: async (rows: Row[]) => rows.map((row) => toRow(row, today)),
  };
});

const toRow = (row: Row, today: string) =>
  toOutput(accountList.row, row, {
    child: row.child || row.inquiry_no,
    days: row.paid_on && !row.gr_no ? daysBetween(row.paid_on, today) : null,
    documents: `${row.verified}/${row.documents}`,
    joinsOn: row.admitted_on ?? '',
  });
