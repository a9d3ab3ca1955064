import { sql } from 'kysely';
import { type InquiryState, openStates } from '#features/admission-form/contract/state.ts';
import { ageOn } from '#kit/contract/age.ts';
import type { UserContext } from '#kit/server/context.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { contains } from '#kit/server/list/pagination.ts';
import { serveList } from '#kit/server/list/record-list.ts';
import { containsName } from '#kit/server/search.ts';
import { inquiryList } from '../../contract/list.ts';
import { literals } from '../literals.ts';
import { isReached } from '../scope.ts';

const isOpen = sql<boolean>`inquiry.state in (${literals(openStates)})`;

/** The pages of the form that are saved, of five; the last one counts once the form is submitted. */
export const progress = sql<number>`(
  (exists (select from admission_basic_info where inquiry_id = inquiry.id))::integer
  + (exists (select from admission_parent_info where inquiry_id = inquiry.id))::integer
  + (exists (select from admission_health where inquiry_id = inquiry.id))::integer
  + (exists (select from admission_additional_info where inquiry_id = inquiry.id))::integer
  + (inquiry.received_at is not null)::integer)`;

const childOf = sql<string>`trim(coalesce(inquiry.first_name, '') || ' ' || coalesce(inquiry.last_name, ''))`;

const inquiriesOf = ({ db, user }: UserContext) =>
  db
    .selectFrom('admission_inquiry as inquiry')
    .where(isReached(user))
    .select(['inquiry.id', 'inquiry.inquiry_no', 'inquiry.birth_date', 'inquiry.next_follow_up_on'])
    .select(['inquiry.father_first_name', 'inquiry.father_last_name', 'inquiry.father_mobile'])
    .select(['inquiry.mother_first_name', 'inquiry.mother_last_name', 'inquiry.mother_mobile'])
    .select(['inquiry.created_at', 'inquiry.submitted_at', 'inquiry.ended_reason'])
    .select(sql<InquiryState>`inquiry.state`.as('state'))
    .select([childOf.as('child'), progress.as('progress')])
    .select(({ selectFrom }) =>
      selectFrom('academic_year')
        .whereRef('id', '=', 'inquiry.academic_year_id')
        .select('age_cutoff_on')
        .as('age_cutoff_on'),
    );

type Row = Awaited<ReturnType<ReturnType<typeof inquiriesOf>['executeTakeFirstOrThrow']>>;

export const {
  routes: inquiryListRoutes,
  selected: inquiriesSelected,
  figures: inquiryFigures,
  first: firstInquiries,
} = serveList(inquiryList, (ctx) => {
  const today = toLocalDate(ctx.now());
  const isOverdue = sql<boolean>`(inquiry.next_follow_up_on < ${today}::date and ${isOpen})`;
  const isIn = (state: InquiryState) => sql<boolean>`inquiry.state = ${state}`;
  const followUps = {
    Overdue: isOverdue,
    Today: sql<boolean>`(inquiry.next_follow_up_on = ${today}::date and ${isOpen})`,
    'Next 7 days': sql<boolean>`(inquiry.next_follow_up_on between ${today}::date and ${addDays(today, 7)}::date
      and ${isOpen})`,
  };
  return {
    query: inquiriesOf(ctx),
    id: 'inquiry.id',
    isPeople: true,
    record: { alias: 'inquiry' },
    matches: (word) => sql`(${containsName('inquiry', word)} or inquiry.search_text like lower(${contains(word)}))`,
    tabs: {
      open: isOpen,
      overdue: isOverdue,
      fresh: isIn('New'),
      sent: isIn('Form sent'),
      begun: isIn('In progress'),
      all: undefined,
    },
    filters: {
      academicYearId: (id) => sql`inquiry.academic_year_id = ${Number(id)}`,
      state: (state) => sql`inquiry.state = ${state}`,
      followUp: (days) => followUps[days as keyof typeof followUps],
      endedReasonId: (id) => sql`inquiry.ended_reason_id = ${Number(id)}`,
    },
    sorts: {
      child: { by: sql`lower(coalesce(inquiry.first_name, '') || ' ' || coalesce(inquiry.last_name, ''))`, as: 'text' },
      inquiryNo: { by: sql`inquiry.inquiry_no`, as: 'text' },
      nextFollowUpOn: { by: sql`coalesce(inquiry.next_follow_up_on, 'infinity')`, as: 'date' },
      // Inquiries are numbered as they are received.
      createdOn: { by: sql`inquiry.id`, as: 'number' },
    },
    toRows: async (rows: Row[]) => rows.map((row) => toRow(row, today)),
  };
});

function toRow(row: Row, today: string) {
  const { birth_date, age_cutoff_on } = row;
  const next = row.next_follow_up_on;
  const age = birth_date && age_cutoff_on ? ageOn(birth_date, age_cutoff_on) : undefined;
  const father = [row.father_first_name, row.father_last_name].filter(Boolean).join(' ');
  const mother = [row.mother_first_name, row.mother_last_name].filter(Boolean).join(' ');
  return {
    id: row.id,
    child: row.child || row.inquiry_no,
    inquiryNo: row.inquiry_no,
    // Not 6.10, which a spreadsheet reads as 6.1.
    age: age ? `${age.years} y ${age.months} m` : '',
    parent: father || mother,
    mobile: row.father_mobile ?? row.mother_mobile ?? '',
    state: row.state,
    progress: row.progress,
    endedReason: row.ended_reason,
    createdOn: toLocalDate(row.created_at),
    isOverdue: next !== null && next < today && (openStates as readonly string[]).includes(row.state),
  };
}
