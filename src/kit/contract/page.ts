import type { Text } from './text.ts';

/** A part of a page behind a tab, by its key in the address: `?tab=term`. */
export interface PageTab {
  key: string;
  title: Text;
}

/** A page of the product as plain data, which Node, tests and the browser read. */
export interface Page {
  /** Its address below /school-erp, where `$name` stands for a part that varies; a page before signing in has a whole path. */
  path: string;
  title: Text;
  /** The roles that may open it; without it, every role. The server decides again. */
  roles?: readonly string[];
  /** Who among the Staff may do anything there; without it, everyone. The server decides again. */
  sets?: readonly string[];
  /** Its parts, if it has tabs; search finds each. */
  tabs?: readonly PageTab[];
  /** What a link may say behind the address's `?`. */
  search?: readonly string[];
}
