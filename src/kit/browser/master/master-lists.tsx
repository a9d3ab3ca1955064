import type { ReactNode } from 'react';
import type { Master } from '#kit/contract/master.ts';
import { MasterPage } from './MasterPage.tsx';
import { keyOf } from './MastersPage.tsx';

/** The lists of masters, by the key of each one's tab. */
export const listsOf = (masters: readonly Master[], isReadOnly = false): Record<string, ReactNode> =>
  Object.fromEntries(
    masters.map((master) => [keyOf(master), <MasterPage key={master.table} master={master} isReadOnly={isReadOnly} />]),
  );
