import type { Text } from '#kit/contract/text.ts';
import type { Services } from './context.ts';

/** Something an Admin must fix: a line at the start and a red card on the dashboard. */
export interface Warning {
  /** Its id: "backup-old". */
  name: string;
  /** The problem and the remedy, in one or two sentences. */
  text: Text;
  /** The page where it is fixed, such as "/school-erp/…". */
  to?: string;
  /** Admins are told of it by email once it lasts ten minutes. */
  isUrgent?: true;
}

/** Finds the current warnings of one area. */
export type FindWarnings = (services: Services) => Promise<Warning[]>;
