import type { Access } from './endpoint.ts';
import type { Text } from './text.ts';

/** A card that a feature adds to the page of another feature's record. Its browser manifest adds how it is loaded. */
export interface RecordCard<Shown = never> {
  /** The kind of record, as its owner names it. */
  record: string;
  /** Identifies the card among all of the record. */
  key: string;
  /** The key of the part of the page. */
  part: string;
  /** The position among the part's cards, ascending. */
  order: number;
  title: Text;
  /** The grants of the operation that it reads. */
  access: Access;
  /** Read with a reason each time, which the audit log keeps. */
  isRestricted?: boolean;
  /** The person of the record reads it too, without a grant. */
  isOwn?: boolean;
  /** False for the records without it. */
  isShown?: (record: Shown) => boolean;
}

/** The definition of a card of records of the type `Shown`. */
export const recordCard =
  <Shown>() =>
  (card: RecordCard<Shown>): RecordCard<Shown> =>
    card;

/** An act that a feature adds to the head of another feature's record. */
export interface RecordAct<Shown = never> {
  /** The kind of record, as its owner names it. */
  record: string;
  key: string;
  /** The position among the acts that features add, ascending. */
  order: number;
  access: Access;
  /** False for the records without it. */
  isShown?: (record: Shown) => boolean;
}

/** A part that a feature adds to the parts of another feature's page. */
export interface PagePart {
  /** The path of the page. */
  page: string;
  /** Its key in the address. */
  key: string;
  /** Its position among the page's parts, which stand at 10, 20 and so on. */
  order: number;
  title: Text;
  /** The grants of the operation that it reads. */
  access: Access;
}

/** Acts that a feature adds to the selected rows of another feature's list. */
export interface ListAct {
  /** The name of the list. */
  list: string;
  key: string;
  access: Access;
}
