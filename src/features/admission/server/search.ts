import { sql } from 'kysely';
import { processStates } from '#features/admission-form/contract/state.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { findByWords, type SearchGroup, searchedMobile } from '#kit/server/search.ts';
import { isReached } from './scope.ts';

/** The page on which the work on an inquiry goes on in its state. */
const pageOf = (state: string) => {
  if (state === 'Seat confirmed' || state === 'Admitted') return 'admission/confirm-admission';
  return ([...processStates, 'Offer expired'] as string[]).includes(state)
    ? 'admission/process-admission'
    : 'admission/inquiry';
};

/** Inquiries by child, parent or number, and by a parent's mobile number. */
export const inquirySearch: SearchGroup = {
  kind: 'inquiry',
  title: text`Inquiries`,
  list: 'admission/inquiry',
  roles: ['Staff'],
  sets: ['office', 'admissionHead', 'principal'],
  find: async ({ db, user }: UserContext, search, most) => {
    const mobile = searchedMobile(search);
    const rows = await findByWords(
      db
        .selectFrom('admission_inquiry as inquiry')
        .innerJoin('academic_grade as grade', 'grade.id', 'inquiry.grade_id')
        .where(isReached(user))
        .select(['inquiry.id', 'inquiry.inquiry_no', 'inquiry.first_name', 'inquiry.last_name', 'grade.name as grade'])
        .select('inquiry.state'),
      {
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
  },
};
