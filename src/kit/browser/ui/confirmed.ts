import { createContext, use } from 'react';

/** Does something; where the server wants a fresh proof of who one is, asks for it first. */
export type Confirmed = <Result>(act: () => Promise<Result>) => Promise<Result>;

export const ConfirmContext = createContext<Confirmed>((act) => act());

/**
 * Gives what does something for which the server wants a fresh proof of who one is: it asks for the password where that is
 * needed, and then does it. Who gives up gets the refusal.
 */
export const useConfirmed = () => use(ConfirmContext);
