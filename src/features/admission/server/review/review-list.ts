import { sql } from 'kysely';
import type { InquiryState } from '#features/admission-form/contract/state.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toOutput } from '#kit/server/database/row-map.ts';
import { daysBetween, toLocalDate } from '#kit/server/day.ts';
import { contains } from '#kit/server/list/pagination.ts';
import { serveList } from '#kit/server/list/record-list.ts';
import { containsName } from '#kit/server/search.ts';
import { reviewList, type waitingTimes } from '../../contract/review-list.ts';
import { isReached } from '../scope.ts';
import { acceptedSections } from './verdict.ts';

const sectionCount = 6;
/** True of an `inquiry` whose form waits for its review. */
export const toReview = sql<boolean>`inquiry.state in ('Submitted', 'Under review')`;

const formsOf = ({ db, user }: UserContext) =>
  db
    .selectFrom('admission_inquiry as inquiry')
    .where(isReached(user))
    .where('inquiry.received_at', 'is not', null)
    .select(['inquiry.id', 'inquiry.inquiry_no', 'inquiry.quota', 'inquiry.received_at'])
    .select(sql<string>`trim(coalesce(inquiry.first_name, '') || ' ' || coalesce(inquiry.last_name, ''))`.as('child'))
    .select(sql<InquiryState>`inquiry.state`.as('state'))
    .select(acceptedSections.as('accepted'))
    .select(({ selectFrom }) => [
      selectFrom('academic_grade').whereRef('id', '=', 'inquiry.grade_id').select('name').as('grade'),
      selectFrom('academic_year').whereRef('id', '=', 'inquiry.academic_year_id').select('name').as('academic_year'),
      selectFrom('academic_branch').whereRef('id', '=', 'inquiry.branch_id').select('name').as('branch'),
      selectFrom('staff').whereRef('id', '=', 'inquiry.reviewer_id').select('name').as('reviewer'),
    ])
    .select([
      sql<number>`(select count(*) from admission_document where inquiry_id = inquiry.id)::integer`.as('documents'),
      sql<number>`(select count(*) from admission_document document
        join admission_document_verdict verdict on verdict.document_id = document.id and verdict.result = 'Verified'
        where document.inquiry_id = inquiry.id)::integer`.as('verified'),
      sql<number>`(select count(*) from admission_message
        where inquiry_id = inquiry.id and read_at is null)::integer`.as('messages'),
    ]);

type Row = Awaited<ReturnType<ReturnType<typeof formsOf>['executeTakeFirstOrThrow']>>;

const waitingDays: Record<(typeof waitingTimes)[number], number> = {
  'More than 3 days': 3,
  'More than 7 days': 7,
  'More than 14 days': 14,
};
/** A form that waits longer is marked. */
const lateAfter = 7;

export const {
  routes: reviewListRoutes,
  selected: formsSelected,
  figures: formFigures,
  first: firstForms,
} = serveList(reviewList, (ctx) => {
  const today = toLocalDate(ctx.now());
  return {
    query: formsOf(ctx),
    id: 'inquiry.id',
    isPeople: true,
    matches: (word) => sql`(${containsName('inquiry', word)} or inquiry.search_text like lower(${contains(word)}))`,
    tabs: {
      toReview,
      mine: sql<boolean>`(${toReview} and inquiry.reviewer_id = ${ctx.user.staffId})`,
      unassigned: sql<boolean>`(${toReview} and inquiry.reviewer_id is null)`,
      correction: sql<boolean>`inquiry.state = 'Correction requested'`,
      verified: sql<boolean>`inquiry.state = 'Verified'`,
      all: undefined,
    },
    filters: {
      academicYearId: (id) => sql`inquiry.academic_year_id = ${Number(id)}`,
      branchId: (id) => sql`inquiry.branch_id = ${Number(id)}`,
      gradeId: (id) => sql`inquiry.grade_id = ${Number(id)}`,
      quota: (quota) => sql`inquiry.quota = ${quota}`,
      reviewerId: (id) => sql`inquiry.reviewer_id = ${Number(id)}`,
      waiting: (words) =>
        sql`(${toReview} and inquiry.received_at
          < ${ctx.now()}::timestamptz - make_interval(days => ${waitingDays[words as keyof typeof waitingDays]}))`,
    },
    sorts: {
      child: { by: sql`lower(coalesce(inquiry.first_name, '') || ' ' || coalesce(inquiry.last_name, ''))`, as: 'text' },
      inquiryNo: { by: sql`inquiry.inquiry_no`, as: 'text' },
      submittedOn: { by: sql`inquiry.received_at`, as: 'moment' },
    },
    toRows: async (rows: Row[]) => rows.map((row) => toRow(row, today)),
  };
});

function toRow(row: Row, today: string) {
  const submittedOn = row.received_at ? toLocalDate(row.received_at) : '';
  const isWaiting = row.state === 'Submitted' || row.state === 'Under review';
  const days = isWaiting && submittedOn ? daysBetween(submittedOn, today) : null;
  return toOutput(reviewList.row, row, {
    child: row.child || row.inquiry_no,
    submittedOn,
    waitingDays: days,
    sections: `${row.accepted}/${sectionCount}`,
    documents: `${row.verified}/${row.documents}`,
    isLate: days !== null && days > lateAfter,
  });
}
