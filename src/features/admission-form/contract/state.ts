import { options, type Text, text } from '#kit/contract/text.ts';
import type { PublishedStatus } from './published-status.ts';

/** Where the office stands with a family, in their order. The family reads `status`, which the school publishes. */
export const inquiryStates = options(
  'New',
  'Form sent',
  'In progress',
  'Submitted',
  'Under review',
  'Correction requested',
  'Verified',
  'Interaction planned',
  'Interaction done',
  'Waitlisted',
  'Offered',
  'Seat confirmed',
  'Admitted',
  'Offer expired',
  'Rejected',
  'Withdrawn',
  'Lost',
);
export type InquiryState = (typeof inquiryStates)[number];

interface Transition {
  from: readonly InquiryState[];
  to: InquiryState;
  label: Text;
}

/** The states in which the office follows an inquiry up. */
export const openStates = ['New', 'Form sent', 'In progress'] as const satisfies readonly InquiryState[];
/** The states of a form that is with the office. */
const reviewStates = [
  'Submitted',
  'Under review',
  'Correction requested',
  'Verified',
] as const satisfies readonly InquiryState[];
/** The states of a verified form before an offer. */
export const candidateStates = [
  'Verified',
  'Interaction planned',
  'Interaction done',
  'Waitlisted',
] as const satisfies readonly InquiryState[];
/** The states of a verified form until the child has an account. */
export const processStates = [
  ...candidateStates,
  'Offered',
  'Seat confirmed',
] as const satisfies readonly InquiryState[];
/** The states that an admission head can reopen. */
export const endedStates = [
  'Rejected',
  'Withdrawn',
  'Lost',
  'Offer expired',
] as const satisfies readonly InquiryState[];

/**
 * Every change of an inquiry's state. An act outside its `from` is refused with the acts that are possible. An inquiry
 * that is reopened returns to the state in which it ended.
 */
export const inquiryTransitions = {
  sendForm: { from: ['New', 'Form sent'], to: 'Form sent', label: text`Send the form` },
  begin: { from: ['New', 'Form sent', 'Lost'], to: 'In progress', label: text`Save the first page` },
  submit: { from: ['New', 'Form sent', 'In progress', 'Lost'], to: 'Submitted', label: text`Submit the form` },
  startReview: { from: ['Submitted', 'Under review'], to: 'Under review', label: text`Start the review` },
  requestCorrection: { from: ['Under review'], to: 'Correction requested', label: text`Request a correction` },
  resubmit: { from: ['Correction requested'], to: 'Under review', label: text`Submit the correction` },
  verify: { from: ['Under review'], to: 'Verified', label: text`Mark as verified` },
  reviewAgain: { from: candidateStates, to: 'Under review', label: text`Review again` },
  planInteraction: {
    from: ['Verified', 'Interaction planned', 'Interaction done'],
    to: 'Interaction planned',
    label: text`Plan an interaction`,
  },
  cancelInteraction: { from: ['Interaction planned'], to: 'Verified', label: text`Cancel the interaction` },
  finishInteraction: { from: ['Interaction planned'], to: 'Interaction done', label: text`Record the interaction` },
  waitlist: { from: candidateStates, to: 'Waitlisted', label: text`Put on the waiting list` },
  offer: { from: candidateStates, to: 'Offered', label: text`Offer a seat` },
  confirm: { from: ['Offered', 'Offer expired'], to: 'Seat confirmed', label: text`Confirm the seat` },
  reversePayment: { from: ['Seat confirmed'], to: 'Offered', label: text`Reverse the payment` },
  expire: { from: ['Offered'], to: 'Offer expired', label: text`End the offer` },
  admit: { from: ['Seat confirmed'], to: 'Admitted', label: text`Create the account` },
  reject: { from: [...reviewStates, ...processStates], to: 'Rejected', label: text`Reject` },
  withdraw: { from: [...reviewStates, ...processStates], to: 'Withdrawn', label: text`Withdraw` },
  lose: { from: openStates, to: 'Lost', label: text`Mark as lost` },
  reopen: { from: endedStates, to: 'New', label: text`Reopen` },
} as const satisfies Record<string, Transition>;
export type InquiryAct = keyof typeof inquiryTransitions;

/** Acts that leave the state as it is, and the states in which they are possible. */
export const inquiryEdits = {
  edit: { from: [...openStates, ...reviewStates, ...processStates], label: text`Edit the inquiry` },
  followUp: { from: [...openStates, ...reviewStates, ...processStates], label: text`Log a follow-up` },
  waive: {
    from: [...openStates, 'Submitted', 'Under review', 'Correction requested'],
    label: text`Waive a document or a parent`,
  },
} as const satisfies Record<string, Omit<Transition, 'to'>>;
export type InquiryEdit = keyof typeof inquiryEdits;

/** The published word for a state; a state without one leaves the word as it is. */
export const publishedAs: Partial<Record<InquiryState, PublishedStatus>> = {
  Submitted: 'Received',
  'Under review': 'Under review',
  'Correction requested': 'Correction needed',
  Verified: 'Checked',
  'Interaction planned': 'Meeting planned',
  Waitlisted: 'On the waiting list',
  Offered: 'Place offered',
  'Seat confirmed': 'Place confirmed',
  Admitted: 'Admitted',
  'Offer expired': 'Offer expired',
};
