/** The account's parts of the staff list and of a person's record. */
export { AccountActs } from '../pages/AccountActs.tsx';
export { AccountCard } from '../pages/AccountCard.tsx';
export { PasswordCard, SessionsCard, SignInCard } from '../pages/OwnAccount.tsx';
