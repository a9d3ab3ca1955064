import { createContext, use } from 'react';

/** Runs an act; asks for the password first where the server requires it. */
export type Confirmed = <Result>(act: () => Promise<Result>) => Promise<Result>;

export const ConfirmContext = createContext<Confirmed>((act) => act());

/**
 * Returns a function that runs an act and asks for the password where the server requires it. A user who cancels gets
 * the refusal.
 */
export const useConfirmed = () => use(ConfirmContext);
