import { sql } from 'kysely';
import type { LinkContext } from '#kit/server/context.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { careerApi } from '../contract/career.ts';
import { answer, isClosed, submittedAnswer } from './form.ts';

const list = 'lstCareerMaster';
/** The lists are read for page 2, and an inactive career tells what its family chose there. */
const page = 2;

const sectors: Handler<typeof careerApi.sectors> = async (ctx) => {
  if (isClosed(ctx, page)) return submittedAnswer(ctx, list);
  const rows = await careers(ctx).where('sector_id', 'is', null).execute();
  return answer(list, rows);
};

const specialties: Handler<typeof careerApi.specialties> = async (ctx, { careerID }) => {
  if (isClosed(ctx, page)) return submittedAnswer(ctx, list);
  const sector = /^[0-9]{1,9}$/.test(careerID) ? Number(careerID) : 0;
  return answer(list, await careers(ctx).where('sector_id', '=', sector).execute());
};

export default routes(careerApi, { sectors, specialties });

const careers = ({ db, inquiry }: LinkContext) =>
  db
    .selectFrom('academic_career')
    .where(isOffered(inquiry.id))
    .select(['id as careerID', 'name as careerName'])
    .orderBy('name');

/** Whether a career is offered to a family; an inactive one only to a family that has chosen it. */
export const isOffered = (inquiryId: number) =>
  sql<boolean>`(academic_career.is_active or exists (
    select 1 from admission_parent_info own where own.inquiry_id = ${inquiryId} and academic_career.id in (
      own.father_sector_id, own.father_specialty_id, own.mother_sector_id, own.mother_specialty_id,
      own.guardian_sector_id, own.guardian_specialty_id)))`;
