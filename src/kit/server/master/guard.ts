import type { Master, Values } from '#kit/contract/master.ts';
import type { UserContext } from '../context.ts';

interface MasterChange {
  master: Master;
  id: number;
  version: number;
  values: Values;
}

interface MasterAddition {
  master: Master;
  values: Values;
}

/** Keeps changes of a feature's masters for a second person, in its manifest. */
export interface MasterGuard {
  /** The fields on which a second person decides at this moment. */
  fieldsOf: (ctx: UserContext, master: Master) => Promise<readonly string[]>;
  /** Saves a new row, or keeps it; without this a new row is saved. */
  add?: (
    ctx: UserContext,
    addition: MasterAddition,
    save: () => Promise<{ id: number; version: number }>,
  ) => Promise<{ id: number; version: number; isHeld?: boolean }>;
  /** Whether a second person decides on new rows of a master at this moment: a file adds none then. */
  holdsNew?: (ctx: UserContext, master: Master) => Promise<boolean>;
  /** Saves a change, or keeps it. */
  change: (
    ctx: UserContext,
    change: MasterChange,
    save: () => Promise<{ id: number; version: number }>,
  ) => Promise<{ id: number; version: number; isHeld?: boolean }>;
}
