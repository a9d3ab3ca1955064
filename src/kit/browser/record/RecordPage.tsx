import { useLingui } from '@lingui/react/macro';
import { CatchBoundary } from '@tanstack/react-router';
import { Children, type ReactNode } from 'react';
import { ReadFailed } from '#kit/browser/data/QueryBoundary.tsx';
import { summarySlotId } from '#kit/browser/form/ApiForm.tsx';
import { useListAddress } from '#kit/browser/list/use-list-address.ts';
import { AddressTabs } from '#kit/browser/ui/AddressTabs.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import styles from './RecordPage.module.css';

export interface RecordPart {
  /** Its word in the address: `?part=history`. */
  key: string;
  title: string;
  /** Each loads and fails by itself. */
  cards: readonly ReactNode[];
}

interface Props {
  /** The record's name. */
  title: string;
  picture?: ReactNode;
  /** Its status, as chips. */
  chips?: ReactNode;
  /** What it is, in a few words. */
  about?: string;
  /** What can be done next: one or two buttons. */
  actions?: ReactNode;
  /** The first is shown at first; a single one has no tabs. */
  parts: readonly RecordPart[];
}

/** The page of one record: its head, and its parts in tabs. */
export function RecordPage({ title, picture, chips, about, actions, parts }: Props) {
  const { t } = useLingui();
  const { address } = useListAddress();
  const current = parts.find(({ key }) => key === address.part) ?? parts[0];
  return (
    <>
      <div className={styles.head}>
        {picture}
        <div className={styles.words}>
          <PageHead title={title} />
          {(about || chips) && (
            <p className={styles.line}>
              {about && <span className="soft">{about}</span>}
              {chips}
            </p>
          )}
        </div>
        {actions && <div className={styles.actions}>{actions}</div>}
      </div>
      {parts.length > 1 && <AddressTabs label={t`Parts of ${title}`} name="part" tabs={parts} current={current?.key} />}
      <div id={summarySlotId} />
      {/* Another part starts with whole cards. */}
      <div key={current?.key} className={styles.cards}>
        {Children.map(current?.cards, (card) => card && <Alone>{card}</Alone>)}
      </div>
    </>
  );
}

/** Keeps the page when one of its cards fails. */
const Alone = ({ children }: { children: ReactNode }) => (
  <CatchBoundary
    getResetKey={() => 'card'}
    errorComponent={({ error, reset }) => (
      <section>
        <ReadFailed query={{ error, refetch: reset, isFetching: false }} />
      </section>
    )}
  >
    {children}
  </CatchBoundary>
);
