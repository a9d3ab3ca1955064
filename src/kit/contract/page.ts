import type { Text } from './text.ts';

/** A part of a page behind a tab, by its key in the address: `?tab=term`. */
export interface PageTab {
  key: string;
  title: Text;
}

/** Something to do on a page, which search finds; the page opens it by its key in the address: `?act=add`. */
export interface PageAct {
  key: string;
  title: Text;
  /** Further words it is found by. */
  alsoNamed?: Text;
  /** The kind of record that it is done to, as search names it: search asks for one, and opens its page with the act. */
  asks?: string;
  /** It is done daily, so the dashboard offers it too. */
  isDaily?: boolean;
  /** Who may do it, as for the page. */
  roles?: readonly string[];
  sets?: readonly string[];
}

/** A page of the product as plain data, readable by Node, tests and the browser. */
export interface Page {
  /** Its address below /school-erp, where `$name` stands for a parameter; a page before sign-in has a full path. */
  path: string;
  title: Text;
  /** The operation that reads what a page of the shell shows first: who may call it may open the page. */
  reads?: string;
  /** Preload `reads` with the HTML. Only where the first request has no query, just the id from the address. */
  isReadAhead?: boolean;
  /** The roles that may open it; every role by default. The server checks again. */
  roles?: readonly string[];
  /** The permission sets of Staff who may use it; every Staff member by default. The server checks again. */
  sets?: readonly string[];
  /** Its parts, if it has tabs; search finds each. */
  tabs?: readonly PageTab[];
  /** What can be done on it, for search. */
  acts?: readonly PageAct[];
  /** Where the records of its list open, if not below its own address: `staff/view-staff`. */
  records?: string;
  /** The pages of the menus that are marked while it or a record below it is open, where it is in no menu itself. */
  within?: readonly string[];
  /** Its columns need the room: between 1024 and 1199 px the menu beside it is a column of icons. */
  isWide?: boolean;
  /** A list that search offers before anything is typed. */
  isOffered?: boolean;
  /** The menu shows how many of its records wait for the user; its server manifest counts them (`badges`). */
  hasBadge?: boolean;
  /** The search keys that a link to it may have. */
  search?: readonly string[];
}
