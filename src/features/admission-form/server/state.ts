import { AppError } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { LinkContext } from '#kit/server/context.ts';
import {
  type InquiryAct,
  type InquiryEdit,
  type InquiryState,
  inquiryEdits,
  inquiryTransitions,
} from '../contract/state.ts';

/** The state after an act. Throws `conflict` with the possible acts where this one is not. */
export function stateAfter(act: InquiryAct, state: string): InquiryState {
  const { from, to } = inquiryTransitions[act];
  if ((from as readonly string[]).includes(state)) return to;
  throw notNow(state);
}

/** Throws `conflict` where an act that leaves the state as it is is not possible in it. */
export function requireState(act: InquiryEdit, state: string) {
  if (!(inquiryEdits[act].from as readonly string[]).includes(state)) throw notNow(state);
}

const notNow = (state: string) =>
  new AppError('conflict', text`This can’t be done while the status is “${{ state }}”.`, {
    data: { possible: possibleActs(state) },
  });

/** The acts that are possible in a state. */
const possibleActs = (state: string): InquiryAct[] =>
  (Object.keys(inquiryTransitions) as InquiryAct[]).filter((act) =>
    (inquiryTransitions[act].from as readonly string[]).includes(state),
  );

/** The family has saved a page: an inquiry that was not in progress is now. */
export const beginForm = ({ db, inquiry }: LinkContext) =>
  db
    .updateTable('admission_inquiry')
    .set({ state: inquiryTransitions.begin.to })
    .where('id', '=', inquiry.id)
    .where('state', 'in', inquiryTransitions.begin.from)
    .execute();
