import type { PermissionSet } from '#access/contract/grants.ts';
import type { Master } from '#kit/contract/master.ts';

/**
 * Who may call an operation, written by hand and separately from the contracts, so that a mistake in either is noticed.
 */
export interface Row {
  anyone?: true;
  linkHolder?: true;
  /** The holder of a guardian's link to the family page. */
  familyHolder?: true;
  /** The holder of such a link who has proved on this device to be the guardian; lets in no other holder. */
  provenHolder?: true;
  /** The holder of the address of a guardian's calendar. */
  feedHolder?: true;
  /** All Staff, or Staff with one of these sets. */
  staff?: 'all' | readonly PermissionSet[];
  admin?: true;
  /**
   * What the ids in the path are of, where Staff may call the operation. A person exists only for callers in whose scope
   * they are; of the card of a colleague who works here, for everyone. A student exists only for callers who see the
   * branch or section.
   */
  ids?: 'person' | 'card' | 'student' | 'other';
  /** Input that its rules accept, where they refuse an input made of a sample for each field. */
  example?: Record<string, unknown>;
  /** An export that names no person, which therefore is not counted. */
  isNameless?: true;
}

/** The pages of a feature that a permission set opens, and whether it changes the feature's records, written by hand. */
export type Work = Partial<Record<PermissionSet, { pages: readonly string[]; isChanging?: true }>>;

/** A feature's rows of the access matrix by method and path: `GET /audit`. */
export type Rows = Readonly<Record<string, Row>>;

export const anyone: Row = {
  anyone: true,
  linkHolder: true,
  familyHolder: true,
  feedHolder: true,
  staff: 'all',
  admin: true,
};
export const linkHolder: Row = { linkHolder: true };
export const familyHolder: Row = { familyHolder: true };
export const provenHolder: Row = { provenHolder: true };
export const feedHolder: Row = { feedHolder: true };
export const signedIn: Row = { staff: 'all', admin: true };
export const onlyAdmin: Row = { admin: true };

/** The same row for every operation of some masters. */
export const masterRows = (masters: readonly Master[], row: Row): Rows =>
  Object.fromEntries(
    masters
      .flatMap(({ path, isOrdered }) => [
        `GET ${path}`,
        `GET ${path}/option`,
        `GET ${path}/export`,
        `GET ${path}/:id/history`,
        `POST ${path}`,
        `PUT ${path}/:id`,
        `DELETE ${path}/:id`,
        `POST ${path}/import`,
        `GET ${path}/import/template`,
        `POST ${path}/import/errors`,
        `POST ${path}/import/open`,
        `GET ${path}/import`,
        `POST ${path}/import/undo`,
        `POST ${path}/active`,
        `GET ${path}/view`,
        `POST ${path}/view`,
        `DELETE ${path}/view/:id`,
        ...(isOrdered ? [`POST ${path}/:id/move`] : []),
      ])
      .map((operation) => [operation, operation.includes('/:') ? { ...row, ids: 'other' } : row]),
  );
