import { stateAfter } from '#features/admission-form/api.ts';
import { candidateStates, publishedAs } from '#features/admission-form/contract/state.ts';
import { AppError } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { leaveProcess } from '../decision/held.ts';

/** The fields that say who the child and the parents are, by the section of the form that shows them. */
const identity = {
  Child: ['firstName', 'lastName', 'gender', 'birthDate'],
  Family: ['fatherFirstName', 'fatherLastName', 'motherFirstName', 'motherLastName'],
} as const;

type Field = (typeof identity)[keyof typeof identity][number];

/**
 * Removes the verdicts on the sections whose identity an edit changes, and returns what it changes of the inquiry: a
 * verified form is under review again. After an offer the identity is fixed. Call it with the inquiry locked.
 */
export async function undoVerdicts(
  ctx: UserContext,
  { id, state }: { id: number; state: string },
  before: Readonly<Record<Field, unknown>>,
  after: Readonly<Record<Field, unknown>>,
) {
  const sections = (Object.keys(identity) as (keyof typeof identity)[]).filter((section) =>
    identity[section].some((name) => (before[name] ?? '') !== (after[name] ?? '')),
  );
  if (sections.length === 0) return {};
  if (state === 'Offered' || state === 'Seat confirmed') throw new AppError('conflict', fixedIdentity);
  await ctx.db
    .deleteFrom('admission_verdict')
    .where('inquiry_id', '=', id)
    .where('section', 'in', sections)
    .where('result', '=', 'Accepted')
    .execute();
  if (!(candidateStates as readonly string[]).includes(state)) return {};
  const next = stateAfter('reviewAgain', state);
  return { ...(await leaveProcess(ctx, { id })), state: next, status: publishedAs[next] };
}

const fixedIdentity = text`A place is offered, so names, gender and birth date can’t change. Withdraw the offer first.`;
