import type { Text } from '#kit/contract/text.ts';
import type { Services } from './context.ts';

/** Something an Admin must fix: a line at the start and a red card on the dashboard. */
export interface Warning {
  /** Tells it from the others: "backup-old". */
  name: string;
  /** What is wrong and what to do, in one or two sentences. */
  text: Text;
  /** The page where it is fixed, such as "/school-erp/…". */
  to?: string;
}

/** Finds what is wrong now in one area. */
export type FindWarnings = (services: Services) => Promise<Warning[]>;
