/** Why a change of a plan may lower what is owed; the ledger refuses one without it. */
export type Authority = 'Raise' | 'Terms' | 'Decided' | 'Price' | 'Fact' | 'Choice' | 'Undo';

const others: Record<string, Authority> = { Made: 'Raise', Concession: 'Terms', Prices: 'Price', Option: 'Choice' };

/** What a change of a kind relies on: on a fact, unless it is another. */
export const authorityOf = (kind: string): Authority => others[kind] ?? 'Fact';
