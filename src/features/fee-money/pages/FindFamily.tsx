import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { useReadList } from '#kit/browser/data/read.ts';
import { Row } from '#kit/browser/ui/Layout.tsx';
import { useLater } from '#kit/browser/ui/use-later.ts';
import { showMoney } from '#kit/contract/money.ts';
import { type FoundFamily, paymentApi } from '../contract/payment.ts';
import styles from './Counter.module.css';
import { Step } from './PaymentFields.tsx';
import { usePresence } from './presence.tsx';

interface Props {
  box: RefObject<HTMLInputElement | null>;
  words: string;
  onWords: (words: string) => void;
  onChoose: (family: FoundFamily) => void;
}

const least = 2;

/** Finds a family: the first hit is taken by Enter, others by the arrows. */
export function FindFamily({ box, words, onWords, onChoose }: Props) {
  const { t } = useLingui();
  const presence = usePresence();
  const search = useLater(words.trim());
  const isWanted = search.length >= least;
  const { data, isPlaceholderData } = useReadList(paymentApi.find, { search }, isWanted);
  const families = isWanted ? (data?.families ?? []) : [];
  const [at, setAt] = useState(0);
  // Until its answer comes, the families of an earlier search stay in view; Enter must not take one of them.
  const isCurrent = search === words.trim() && data !== undefined && !isPlaceholderData;
  // Enter may come before the answer to what was typed.
  const isAwaited = useRef(false);
  const choose = (family: FoundFamily | undefined) => {
    isAwaited.current = false;
    if (family) onChoose(family);
  };
  const latest = useRef(choose);
  latest.current = choose;
  useEffect(() => {
    setAt(0);
    if (isAwaited.current && isCurrent) latest.current(data.families[0]);
  }, [data, isCurrent]);
  const press = (event: KeyboardEvent) => {
    const { key } = event;
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault();
      setAt((before) => Math.max(0, Math.min(families.length - 1, before + (key === 'ArrowDown' ? 1 : -1))));
    } else if (key === 'Enter') {
      event.preventDefault();
      if (isCurrent) choose(families[at]);
      else isAwaited.current = words.trim().length >= least;
    }
  };
  return (
    <div className={styles.find}>
      <input
        ref={box}
        type="search"
        className="box"
        role="combobox"
        aria-expanded={families.length > 0}
        aria-controls="families"
        aria-activedescendant={families[at] && `family-${at}`}
        aria-label={t`Name, GR number, mobile or receipt number`}
        placeholder={t`Name, GR, mobile or receipt`}
        autoComplete="off"
        value={words}
        onChange={(event) => {
          isAwaited.current = false;
          onWords(event.currentTarget.value);
        }}
        onKeyDown={press}
      />
      <Step at={1} />
      <div id="families" role="listbox" aria-label={t`Families`} className={styles.hits}>
        {families.map((family, index) => (
          <Row
            gap={12}
            justify="between"
            key={family.key}
            id={`family-${index}`}
            role="option"
            aria-selected={index === at}
            tabIndex={-1}
            onClick={() => choose(family)}
          >
            <span>
              <b>{family.children.map(({ name }) => name).join(', ')}</b>
              <small>
                {[
                  family.children
                    .map((child) => [child.place, child.grNo, presence(child)].filter(Boolean).join(' '))
                    .join(', '),
                  family.payer,
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </small>
            </span>
            <span>
              <b>{showMoney(family.due + family.fine)}</b>
              {family.fine > 0 && (
                <small>
                  <Trans>with {showMoney(family.fine)} of late fines</Trans>
                </small>
              )}
            </span>
          </Row>
        ))}
      </div>
      {isWanted && isCurrent && (
        <p className={styles.count} role="status">
          <Plural value={families.length} _0="No family is found." one="# family" other="# families" />
        </p>
      )}
    </div>
  );
}
