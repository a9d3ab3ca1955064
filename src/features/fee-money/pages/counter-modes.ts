import { chequeKinds } from '../contract/cheque.ts';
import { type Mode, modes } from '../contract/payment.ts';

type ChequeKind = (typeof chequeKinds)[number];
export type CounterMode = Mode | ChequeKind;
/** The modes of the counter in the order of their keys. */
export const counterModes: readonly CounterMode[] = [...modes, ...chequeKinds];
export const isChequeKind = (mode: CounterMode): mode is ChequeKind => chequeKinds.some((kind) => kind === mode);
