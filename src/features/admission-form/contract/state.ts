import { options, type Text, text } from '#kit/contract/text.ts';

/** Where the office stands with a family, in their order. The family reads `status`, which the school publishes. */
export const inquiryStates = options('New', 'Form sent', 'In progress', 'Submitted', 'Lost');
export type InquiryState = (typeof inquiryStates)[number];

interface Transition {
  from: readonly InquiryState[];
  to: InquiryState;
  label: Text;
}

/** Every change of an inquiry's state. An act outside its `from` is refused with the acts that are possible. */
export const inquiryTransitions = {
  sendForm: { from: ['New', 'Form sent'], to: 'Form sent', label: text`Send the form` },
  begin: { from: ['New', 'Form sent', 'Lost'], to: 'In progress', label: text`Save the first page` },
  submit: { from: ['New', 'Form sent', 'In progress', 'Lost'], to: 'Submitted', label: text`Submit the form` },
  lose: { from: ['New', 'Form sent', 'In progress'], to: 'Lost', label: text`Mark as lost` },
  reopen: { from: ['Lost'], to: 'New', label: text`Reopen` },
} as const satisfies Record<string, Transition>;
export type InquiryAct = keyof typeof inquiryTransitions;

/** The states in which the office follows an inquiry up. */
export const openStates = ['New', 'Form sent', 'In progress'] as const satisfies readonly InquiryState[];
