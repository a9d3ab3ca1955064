import { Trans, useLingui } from '@lingui/react/macro';
import { useId } from 'react';
import { translate } from '#kit/browser/text.ts';
import { takeLostFocus } from '#kit/browser/ui/focus.ts';
import { type Field, isNeeded } from '#kit/contract/field.ts';
import { neededMark } from '#kit/contract/import-limits.ts';
import { english } from '#kit/contract/text.ts';
import styles from './MatchColumns.module.css';

/** What the server says of a file with heads that fit no column. */
export interface FoundColumns {
  /** The heads that fit no column. */
  heads: readonly string[];
  /** The labels of the columns that are found. */
  found: readonly string[];
}

type Fields = Readonly<Record<string, Field>>;

interface Props {
  /** The heads of the file that fit no column. */
  unknown: readonly string[];
  /** The columns to choose from. */
  fields: readonly Field[];
  /** The required ones that no head is. */
  missing: readonly Field[];
  /** The label of a column by head, or '' for a head that is left out. */
  matched: Readonly<Record<string, string>>;
  onChange: (matched: Record<string, string>) => void;
  /** The id of the form, for its button elsewhere. */
  id: string;
  onSubmit: () => void;
}

/** Asks which column each unknown head of a file is. */
export function MatchColumns({ unknown, fields, missing, matched, onChange, id, onSubmit }: Props) {
  const { t } = useLingui();
  const own = useId();
  return (
    <form
      id={id}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <h3 ref={takeLostFocus} tabIndex={-1} className={styles.step}>
        <Trans>Columns</Trans>
      </h3>
      <p role="alert">
        <Trans>Choose what these columns of the file are, or leave them out.</Trans>
      </p>
      <p role="status">
        {missing.length > 0 && (
          <Trans>
            Not matched: <strong>{labelsOf(missing)}</strong>
          </Trans>
        )}
      </p>
      {unknown.map((head, index) => (
        <p key={head} className={styles.pair}>
          <label htmlFor={own + index}>{head || t`No heading`}</label>
          <select
            className="box"
            id={own + index}
            value={matched[head]}
            onChange={({ currentTarget }) => onChange({ ...matched, [head]: currentTarget.value })}
          >
            <option value="">{t`Leave out`}</option>
            {fields.map((field) => (
              <option key={english(field.label)} value={english(field.label)}>
                {translate(field.label)} {isNeeded(field) && neededMark}
              </option>
            ))}
          </select>
        </p>
      ))}
    </form>
  );
}

export const labelsOf = (fields: readonly Field[]) => fields.map(({ label }) => translate(label)).join(', ');

/** The columns of a file that the server has not found. */
export const remainingOf = (fields: Fields, { found }: FoundColumns): Field[] =>
  Object.values(fields).filter(({ label }) => !found.includes(english(label)));

/** The first proposal: for each unknown head the similar column, if there is one that no other head is. */
export function proposedFor(fields: Fields, found: FoundColumns): Record<string, string> {
  const proposed: Record<string, string> = {};
  for (const head of found.heads) {
    const label = similarTo(head, remainingOf(fields, found));
    proposed[head] = Object.values(proposed).includes(label) ? '' : label;
  }
  return proposed;
}

const wordsOf = (words: string) =>
  words
    .toLowerCase()
    .replaceAll('-', '')
    .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

/** The one label with all words of the head, or the other way round: "Mobile", "Date of joining", "Staff name". */
function similarTo(head: string, fields: readonly Field[]): string {
  const given = wordsOf(head);
  const isIn = (some: string[], all: string[]) => some.length > 0 && some.every((word) => all.includes(word));
  const similar = fields
    .map(({ label }) => english(label))
    .filter((label) => {
      const known = wordsOf(label);
      return isIn(given, known) || isIn(known, given);
    });
  return similar.length === 1 ? (similar[0] ?? '') : '';
}
