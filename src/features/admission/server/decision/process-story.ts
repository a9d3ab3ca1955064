import { sql } from 'kysely';
import type { InquiryState } from '#features/admission-form/contract/state.ts';
import type { Context } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { ProcessRecord } from '../../contract/process.ts';
import type { SeatRow } from '../../contract/seat.ts';
import { lacksInteraction } from './decide.ts';

interface Story {
  verifiedOn: string;
  papers: ProcessRecord['papers'];
  notes: ProcessRecord['notes'];
}

/** What the page of an application says of its form, its papers and the last calls with the family. */
export async function readStory({ db }: Pick<Context, 'db'>, id: number): Promise<Story> {
  const { rows } = await sql<Story>`
    select coalesce((select (max(decided_at) at time zone 'Asia/Kolkata')::date::text from admission_verdict
        where inquiry_id = ${id}), '') as "verifiedOn",
      json_build_object(
        'all', (select count(*) from admission_document where inquiry_id = ${id}),
        'verified', (select count(*) from admission_document document
          join admission_document_verdict verdict on verdict.document_id = document.id and verdict.result = 'Verified'
          where document.inquiry_id = ${id}),
        'missing', coalesce((select json_agg(json_build_object('name', name, 'dueOn', coalesce(due_on::text, '')) order by name)
          from admission_document_waiver waiver where inquiry_id = ${id} and not exists (select from admission_document brought
            where brought.inquiry_id = ${id} and brought.name = waiver.name)), '[]')) as papers,
      coalesce((select json_agg(json_build_object('id', id, 'on', contacted_on, 'note', note) order by id desc) from (
        select id, (contacted_at at time zone 'Asia/Kolkata')::date::text as contacted_on, note from admission_follow_up
        where inquiry_id = ${id} order by id desc limit 3) as last), '[]') as notes`.execute(db);
  return rows[0] ?? { verifiedOn: '', papers: { all: 0, verified: 0, missing: [] }, notes: [] };
}

interface Parents {
  father_first_name: string | null;
  father_last_name: string | null;
  father_mobile: string | null;
  mother_first_name: string | null;
  mother_last_name: string | null;
  mother_mobile: string | null;
}

/** The parents whom the inquiry names or has a number of. */
export function parentsOf(row: Parents): ProcessRecord['family'] {
  const parents = [
    { relation: 'Father' as const, names: [row.father_first_name, row.father_last_name], mobile: row.father_mobile },
    { relation: 'Mother' as const, names: [row.mother_first_name, row.mother_last_name], mobile: row.mother_mobile },
  ];
  return parents.flatMap(({ relation, names, mobile }) => {
    const name = names.filter(Boolean).join(' ');
    return name || mobile ? [{ relation, name, mobile: mobile ?? '' }] : [];
  });
}

interface Known {
  state: InquiryState;
  quota: string;
  held_kind: string | null;
  interaction_waived_reason: string;
}

interface Met {
  status: string;
  startsAt: string;
  isOwn: boolean;
  results: number;
  own: unknown;
  may: { write: boolean };
}

/** What comes next: the interaction, then its result, then the decision, its release and the fee. */
export function nextOf(
  row: Known,
  { seat, due, met, now }: { seat: SeatRow | undefined; due: number; met: readonly Met[]; now: Date },
): ProcessRecord['next'] {
  const { state, held_kind } = row;
  if (held_kind) return 'release';
  if (state === 'Offered') return due > 0 ? 'pay' : 'accept';
  if (state === 'Seat confirmed') return 'admit';
  if (state === 'Waitlisted') return seat && seat.free > 0 ? 'decide' : 'waiting';
  if (state !== 'Verified' && state !== 'Interaction planned' && state !== 'Interaction done') return 'none';
  return nextMeeting(row, { seat, met, now }) ?? (seat ? (seat.free > 0 ? 'decide' : 'waitlist') : 'unplanned');
}

/** What is open of the interaction; undefined where the application can be decided. */
function nextMeeting(row: Known, { seat, met, now }: { seat: SeatRow | undefined; met: readonly Met[]; now: Date }) {
  const planned = met.filter(({ status }) => status === 'Planned');
  const begun = planned.filter(({ startsAt }) => toLocalDate(new Date(startsAt)) <= toLocalDate(now));
  if (row.state === 'Interaction planned' && planned.length > 0) {
    if (begun.length === 0) return 'meet';
    return begun.some(({ isOwn, own, may }) => isOwn && may.write && !own) ? 'result' : 'attend';
  }
  const needs =
    seat !== undefined &&
    lacksInteraction({ ...row, state: 'Verified' }, seat) &&
    !met.some(({ status }) => status === 'Came');
  if (needs) return 'plan';
  const attended = met.filter(({ status, may, own }) => status === 'Came' && may.write && !own);
  const isAwaited = ({ isOwn, results }: Met) => isOwn || results === 0;
  return row.state === 'Interaction done' && attended.some(isAwaited) ? 'result' : undefined;
}
