import { sql } from 'kysely';
import type { LinkContext } from '#kit/server/context.ts';
import type { SiblingOffer } from '../contract/sibling-offer.ts';
import { masked } from './masked.ts';

/** A brother's or sister's submitted form, as the inquiry that it is linked to sees it. */
export interface SiblingRow {
  id: number;
  firstName: string | null;
  grade: string;
  fatherMobile: string | null;
  motherMobile: string | null;
  isUsed: boolean;
}

/** A form that was never submitted, or whose family has withdrawn its consent, fills in nothing. */
export const siblingRow = ({ inquiry }: LinkContext) =>
  sql<SiblingRow | null>`(
    select jsonb_build_object('id', sibling.id, 'firstName', sibling.first_name, 'grade', grade.name,
      'fatherMobile', sibling.father_mobile, 'motherMobile', sibling.mother_mobile, 'isUsed', own.sibling_used_at is not null)
    from admission_inquiry own
    join admission_inquiry sibling on sibling.id = own.sibling_inquiry_id
    join academic_grade grade on grade.id = sibling.grade_id
    where own.id = ${inquiry.id} and sibling.received_at is not null
      and not exists (select from admission_consent where inquiry_id = sibling.id
        group by inquiry_id having every(withdrawn_at is not null)))`;

export const mobilesOf = ({ fatherMobile, motherMobile }: SiblingRow) =>
  (
    [
      ['Father', fatherMobile],
      ['Mother', motherMobile],
    ] as const
  ).flatMap(([parent, mobile]) => (mobile ? [{ parent, mobile }] : []));

/** What the family is offered before a code; null where there is nothing, or no number to send a code to. */
export function offerOf(sibling: SiblingRow | null): SiblingOffer | null {
  if (!sibling) return null;
  const receivers = mobilesOf(sibling).map(({ parent, mobile }) => ({ parent, mobile: masked(mobile) }));
  const { firstName, grade, isUsed } = sibling;
  return receivers.length > 0 ? { firstName: firstName ?? '', grade, receivers, isUsed } : null;
}
