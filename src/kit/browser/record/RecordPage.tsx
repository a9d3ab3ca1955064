import { useLingui } from '@lingui/react/macro';
import { CatchBoundary } from '@tanstack/react-router';
import { Children, type ComponentProps, Fragment, type ReactNode, useRef } from 'react';
import { ReadFailed } from '#kit/browser/data/QueryBoundary.tsx';
import { summarySlotId } from '#kit/browser/form/form-problems.tsx';
import { useListAddress } from '#kit/browser/list/use-list-address.ts';
import { AddressTabs } from '#kit/browser/ui/AddressTabs.tsx';
import { Row, Stack, Text } from '#kit/browser/ui/Layout.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import type { Shortcut } from '#kit/browser/ui/ShortcutList.tsx';
import { UnsavedContext } from '#kit/browser/ui/unsaved.tsx';
import { type ActedOn, useRecordActs } from './added.tsx';
import { HeadActs } from './HeadActs.tsx';
import { Cards } from './RecordCard.tsx';
import styles from './RecordPage.module.css';
import { type Listed, RecordWay, WayBack } from './RecordWay.tsx';

export interface RecordPart {
  /** Its word in the address: `?part=history`. */
  key: string;
  title: string;
  /** Above its cards. */
  lead?: ReactNode;
  /** Each loads and fails by itself. */
  cards: readonly ReactNode[];
  /** Cards in a narrow column beside them, where there is room. */
  aside?: readonly ReactNode[];
}

interface Props {
  /** The record's name. */
  title: string;
  /** The list that the page leads back to, and whose other records are beside it. */
  of?: Listed;
  /** The page that it leads back to, where that is no list of its records. */
  back?: ComponentProps<typeof WayBack>;
  picture?: ReactNode;
  /** Its status, and what must be known of it, beside the name. */
  chips?: ReactNode;
  /** What it is, in a few words. */
  about?: string;
  /** Whom to call about it, below. */
  contact?: ReactNode;
  /** What can be done next: one or two buttons. They ask first while a form of the page has unsaved entries. */
  actions?: ReactNode;
  /** The record as features know it that add acts to its head. */
  actedOn?: ActedOn;
  /** Single keys that press a button of the page with this key in its `aria-keyshortcuts`. */
  keys?: readonly Shortcut[];
  /** A line below the head, for all parts. */
  below?: ReactNode;
  /** The first is shown at first; a single one has no tabs. */
  parts: readonly RecordPart[];
}

/** Between the words of what a record is. */
const between = ' · ';

/** The page of one record: its head, and its parts in tabs. */
export function RecordPage({
  title,
  of,
  back,
  picture,
  chips,
  about,
  contact,
  actions,
  actedOn,
  keys,
  below,
  parts,
}: Props) {
  const { t } = useLingui();
  const { address } = useListAddress();
  const page = useRef<HTMLDivElement>(null);
  const unsaved = useRef(new Set<string>());
  const added = useRecordActs(actedOn);
  const current = parts.find(({ key }) => key === address.part) ?? parts[0];
  return (
    <div ref={page} className={styles.page}>
      {of && <RecordWay of={of} part={page} keys={keys} />}
      {back && <WayBack {...back} />}
      <Row gap="12 16" align="end" className={styles.head}>
        {picture}
        <Stack gap={4} className={styles.words}>
          <Row gap="4 12" align="center" wrap className={styles.title}>
            <PageHead title={title} />
            {chips}
          </Row>
          {about && (
            <Text tone="soft">
              {about.split(between).map((fact, place, { length }) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: facts have no name, and keep their order.
                <Fragment key={place}>
                  <span className={styles.fact}>{place < length - 1 ? `${fact} ·` : fact}</span>{' '}
                </Fragment>
              ))}
            </Text>
          )}
          {contact && (
            <Row as="p" gap="4 8" align="center" wrap tone="soft" className={styles.contact}>
              {contact}
            </Row>
          )}
        </Stack>
        {(actions || added) && (
          <HeadActs unsaved={unsaved} className={styles.actions}>
            {actions}
            {added}
          </HeadActs>
        )}
      </Row>
      {below}
      {parts.length > 1 && <AddressTabs label={t`Parts of ${title}`} name="part" tabs={parts} current={current?.key} />}
      <div id={summarySlotId} />
      {current?.lead}
      <UnsavedContext value={unsaved}>
        {/* Another part starts with whole cards. */}
        <div key={current?.key} className={current?.aside && styles.split}>
          <Cards isNarrow={current?.aside !== undefined}>{alone(current?.cards)}</Cards>
          {current?.aside && <Cards isNarrow>{alone(current.aside)}</Cards>}
        </div>
      </UnsavedContext>
    </div>
  );
}

const alone = (cards: readonly ReactNode[] = []) => Children.map(cards, (card) => card && <Alone>{card}</Alone>);

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
