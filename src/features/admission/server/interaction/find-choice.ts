import { sql } from 'kysely';
import { changeHours } from '#features/admission-form/contract/time.ts';
import type { Services } from '#kit/server/context.ts';
import { literals } from '../literals.ts';
import { plannable } from './plannable.ts';

/** Whether a time is near its start: a family changes it no more. */
export const isNear = (startsAt: Date, now: Date) => startsAt.getTime() - now.getTime() < changeHours * 3_600_000;

interface OpenChoice {
  kind: string;
  until: Date;
  /** The interaction of this kind that is planned with the child and is not over. */
  planned: { id: number; slotId: number; startsAt: string; isOfChoice: boolean } | null;
}

/** The choice of times that a family has now; one of another kind waits until this one is made. Undefined without one. */
export async function findChoice(
  { db, now }: Pick<Services, 'db' | 'now'>,
  inquiryId: number,
): Promise<OpenChoice | undefined> {
  const { rows } = await sql<OpenChoice>`
    select choice.kind, choice.until, planned.value as planned
    from admission_inquiry inquiry
    join admission_time_choice_family family on family.inquiry_id = inquiry.id
    join admission_time_choice choice on choice.id = family.choice_id
    join academic_year year on year.id = inquiry.academic_year_id
    left join lateral (select json_build_object('id', own.id, 'slotId', slot.id, 'startsAt', own.starts_at,
        'isOfChoice', slot.choice_id is not null) as value
      from admission_interaction own join admission_slot slot on slot.id = own.slot_id
      where own.inquiry_id = inquiry.id and own.kind = choice.kind and own.status = 'Planned' and own.ends_at > ${now()}
      order by own.starts_at limit 1) as planned on true
    where inquiry.id = ${inquiryId} and choice.ended_at is null and choice.until > ${now()}
      and inquiry.state in (${literals(plannable)}) and inquiry.held_kind is null and inquiry.quota <> 'RTE'
      and inquiry.branch_id = choice.branch_id and year.status <> 'Closed'
    order by planned.value is not null, choice.until desc, choice.id desc limit 1`.execute(db);
  return rows[0];
}

/** Whether the family takes a time of its choice, or another one; what the office planned elsewhere is the office's. */
export const mayChoose = ({ planned }: OpenChoice, now: Date) =>
  !planned || (planned.isOfChoice && !isNear(new Date(planned.startsAt), now));
