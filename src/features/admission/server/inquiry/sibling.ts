import { sql } from 'kysely';
import type { InquiryState } from '#features/admission-form/contract/state.ts';
import { AppError, fieldRefusal } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { siblingApi } from '../../contract/sibling.ts';
import { isReached, requireInquiry } from '../scope.ts';
import { lockInquiry, saveInquiry } from './lock.ts';

/** Inquiries of the same parents, by mobile number, and the linked one; at most ten, the newest first. */
const siblingsOf = ({ db, user }: UserContext, id: number) =>
  db
    .selectFrom('admission_inquiry as own')
    .innerJoin('admission_inquiry as other', (join) =>
      join.on(
        sql<boolean>`other.id = own.sibling_inquiry_id or (other.id <> own.id and
          (other.father_mobile in (own.father_mobile, own.mother_mobile)
            or other.mother_mobile in (own.father_mobile, own.mother_mobile)))`,
      ),
    )
    .innerJoin('academic_grade as grade', 'grade.id', 'other.grade_id')
    .innerJoin('academic_year as year', 'year.id', 'other.academic_year_id')
    .where('own.id', '=', id)
    .where(isReached(user, sql`other.branch_id`))
    .select(['other.id', 'other.inquiry_no', 'other.first_name', 'other.last_name', 'other.state'])
    .select(['grade.name as grade', 'year.name as year'])
    .select(sql<boolean>`coalesce(other.id = own.sibling_inquiry_id, false)`.as('isLinked'))
    .select(sql<boolean>`other.received_at is not null`.as('isSubmitted'))
    .orderBy('isLinked', 'desc')
    .orderBy('other.id', 'desc')
    .limit(10);

const nameOf = (row: { first_name: string | null; last_name: string | null; inquiry_no: string }) =>
  [row.first_name, row.last_name].filter(Boolean).join(' ') || row.inquiry_no;

const list: Handler<typeof siblingApi.list> = async (ctx, { id }) => {
  const own = await requireInquiry(ctx, id);
  const rows = await siblingsOf(ctx, id).execute();
  return {
    rows: rows.map((row) => ({
      id: row.id,
      inquiryNo: row.inquiry_no,
      child: nameOf(row),
      grade: row.grade,
      academicYear: row.year,
      state: row.state as InquiryState,
      isLinked: row.isLinked,
      isSubmitted: row.isSubmitted,
    })),
    isUsed: own.sibling_used_at !== null,
  };
};

const link: Handler<typeof siblingApi.link> = async (ctx, { id, version, siblingId }) => {
  const inquiry = await lockInquiry(ctx, id, version);
  if (inquiry.sibling_inquiry_id === siblingId) return {};
  const siblings = await siblingsOf(ctx, id).execute();
  const [chosen, before] = [siblingId, inquiry.sibling_inquiry_id].map((one) => siblings.find((row) => row.id === one));
  if (siblingId !== null && !chosen)
    throw fieldRefusal('siblingId', text`Link a child of the same parents: one mobile number must be the same.`);
  if (inquiry.submitted_at)
    throw new AppError('conflict', text`The form is already submitted, so it can’t be filled in.`);
  // Names that the office has typed itself stay.
  const isOurs = inquiry.sibling_names === '' || (before && inquiry.sibling_names === nameOf(before));
  await saveInquiry(ctx, inquiry, chosen ? 'admission.sibling.linked' : 'admission.sibling.unlinked', {
    sibling_inquiry_id: siblingId,
    ...(isOurs && { sibling_names: chosen ? nameOf(chosen) : '' }),
  });
  return {};
};

export const siblingRoutes = routes(siblingApi, { list, link });
