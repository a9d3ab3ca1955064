import type { Master, Values } from '#kit/contract/master.ts';
import type { UserContext } from '../context.ts';

interface MasterChange {
  master: Master;
  id: number;
  version: number;
  values: Values;
}

/** Keeps changes of a feature's masters for a second person, in its manifest. */
export interface MasterGuard {
  /** The fields on which a second person decides at this moment. */
  fieldsOf: (ctx: UserContext, master: Master) => Promise<readonly string[]>;
  /** Saves a change, or keeps it. */
  change: (
    ctx: UserContext,
    change: MasterChange,
    save: () => Promise<{ id: number; version: number }>,
  ) => Promise<{ id: number; version: number; isHeld?: boolean }>;
}
