import { Trans, useLingui } from '@lingui/react/macro';
import { type FormEvent, useId, useState } from 'react';
import { translate } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { english, type Text } from '#kit/contract/text.ts';
import styles from './MatchColumns.module.css';

interface Props {
  /** The heads of the file that fit no column. */
  unknown: readonly string[];
  /** The columns the file may have. */
  heads: readonly Text[];
  /** Takes the label of a column by head, or '' for a head that is left out. */
  onMatch: (matched: Record<string, string>) => void;
}

/** Asks which column each unknown head of a file is; a similar one is proposed. */
export function MatchColumns({ unknown, heads, onMatch }: Props) {
  const { t } = useLingui();
  const id = useId();
  const [chosen, setChosen] = useState<Record<string, string>>({});
  const chosenFor = (head: string) => chosen[head] ?? similarTo(head, heads);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onMatch(Object.fromEntries(unknown.map((head) => [head, chosenFor(head)])));
  };
  return (
    <form onSubmit={submit}>
      <p role="alert">
        <Trans>Choose what these columns of the file are, or leave them out.</Trans>
      </p>
      {unknown.map((head, index) => (
        <p key={head} className={styles.pair}>
          <label htmlFor={id + index}>{head || t`No heading`}</label>
          <select
            className="box"
            id={id + index}
            value={chosenFor(head)}
            onChange={({ currentTarget }) => setChosen({ ...chosen, [head]: currentTarget.value })}
          >
            <option value="">{t`Leave out`}</option>
            {heads.map((known) => (
              <option key={english(known)} value={english(known)}>
                {translate(known)}
              </option>
            ))}
          </select>
        </p>
      ))}
      <p>
        <Button type="submit" kind="main">
          <Trans>Continue</Trans>
        </Button>
      </p>
    </form>
  );
}

const wordsOf = (words: string) =>
  words
    .toLowerCase()
    .replaceAll('-', '')
    .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

/** The one label with all words of the head, or the other way round: "Mobile", "Date of joining", "Staff name". */
function similarTo(head: string, heads: readonly Text[]): string {
  const given = wordsOf(head);
  const isIn = (some: string[], all: string[]) => some.length > 0 && some.every((word) => all.includes(word));
  const similar = heads.map(english).filter((label) => {
    const known = wordsOf(label);
    return isIn(given, known) || isIn(known, given);
  });
  return similar.length === 1 ? (similar[0] ?? '') : '';
}
