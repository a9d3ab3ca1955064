import { type Expression, type SqlBool, sql } from 'kysely';
import { processStates } from '#features/admission-form/contract/state.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { findByWords, type SearchGroup, searchedMobile } from '#kit/server/search.ts';
import { isReached } from './scope.ts';
import { isSeatReached } from './seat/seat-read.ts';

const inProcess: string[] = [...processStates, 'Offer expired'];
const applicantStates = [...inProcess, 'Seat confirmed', 'Admitted'];

/** The page on which the work on an inquiry goes on in its state. */
const pageOf = (state: string) => {
  if (state === 'Seat confirmed' || state === 'Admitted') return 'admission/confirm-admission';
  return inProcess.includes(state) ? 'admission/process-admission' : 'admission/inquiry';
};

/** Inquiries by child, parent or number, and by a parent's mobile number. */
async function findInquiries({ db }: UserContext, search: string, most: number, isShown: Expression<SqlBool>) {
  const mobile = searchedMobile(search);
  const rows = await findByWords(
    db
      .selectFrom('admission_inquiry as inquiry')
      .innerJoin('academic_grade as grade', 'grade.id', 'inquiry.grade_id')
      .where(isShown)
      .select(['inquiry.id', 'inquiry.inquiry_no', 'inquiry.first_name', 'inquiry.last_name', 'grade.name as grade'])
      .select('inquiry.state'),
    {
      table: 'inquiry',
      search,
      most,
      name: sql`concat_ws(' ', first_name, last_name)`,
      ...(mobile && { also: sql<boolean>`(father_mobile = ${mobile} or mother_mobile = ${mobile})` }),
      sort: [sql`inquiry.id desc`],
    },
  );
  return rows.map(({ id, state, inquiry_no, first_name, last_name, grade, closeness }) => ({
    id,
    title: [first_name, last_name].filter(Boolean).join(' ') || inquiry_no,
    detail: `${inquiry_no} · ${grade}`,
    to: `${pageOf(state)}/${id}`,
    closeness,
  }));
}

const readers = ['office', 'admissionHead', 'principal'] as const;

export const inquirySearch: SearchGroup = {
  kind: 'inquiry',
  title: text`Inquiries`,
  list: 'admission/inquiry',
  roles: ['Staff'],
  sets: [...readers],
  find: (ctx, search, most) => findInquiries(ctx, search, most, isReached(ctx.user)),
};

/** For those who take fees of applicants and may not open inquiries. */
export const applicantSearch: SearchGroup = {
  kind: 'applicant',
  title: text`Applicants`,
  list: 'admission/process-admission',
  roles: ['Staff'],
  sets: ['accountant'],
  find: async (ctx, search, most) => {
    // They find the same children among the inquiries.
    if (readers.some((set) => ctx.user.sets.includes(set))) return [];
    const isInProcess = sql<boolean>`inquiry.state = any(${applicantStates})`;
    return findInquiries(
      ctx,
      search,
      most,
      sql<boolean>`${isInProcess} and ${isSeatReached(ctx.user, sql`inquiry.branch_id`)}`,
    );
  },
};
