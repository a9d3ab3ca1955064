import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { useDownload } from '#kit/browser/data/download.tsx';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { ListRows } from '#kit/browser/list/ListTable.tsx';
import { useListAddress } from '#kit/browser/list/use-list-address.ts';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { AddressTabs } from '#kit/browser/ui/AddressTabs.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { Stack } from '#kit/browser/ui/Layout.tsx';
import { Meter } from '#kit/browser/ui/Meter.tsx';
import { showMoment } from '#kit/browser/ui/show.ts';
import type { Announcement } from '../contract/announcement.ts';
import { type Receipt, receiptApi, receiptFilters } from '../contract/receipt.ts';
import styles from './Receipts.module.css';

type Show = (typeof receiptFilters)[number];

interface Props {
  announcement: Announcement;
  figures: NonNullable<Announcement['figures']>;
}

/** The recipients of an announcement: what was sent to them, and when they read and acknowledged it. */
export function Receipts({ announcement: { id, needsAcknowledgement, versions }, figures }: Props) {
  const { t } = useLingui();
  const { address } = useListAddress();
  const show = receiptFilters.find((word) => word === address.show) ?? 'all';
  const download = useDownload();
  const { attempt, problem, isBusy } = useAttempt();
  const words: Record<Show, string> = {
    all: t`All`,
    unread: t`Not read`,
    read: t`Read`,
    unacknowledged: t`Not acknowledged`,
    acknowledged: t`Acknowledged`,
    failed: t`Not sent`,
  };
  const tabs = receiptFilters
    .filter((word) => needsAcknowledgement || !word.endsWith('acknowledged'))
    .map((key) => ({ key, title: words[key] }));
  const text = versions.find(({ number }) => versions.length > 1 && String(number) === address.text)
    ? (address.text ?? '')
    : '';
  const texts = [
    { key: '', title: t`All that count` },
    ...versions.map(({ number }) => ({ key: String(number), title: t`Text ${number}` })).toReversed(),
  ];
  const input = { id: String(id), show, text, as: 'xlsx' } as const;
  return (
    <RecordCard
      isWide
      title={<Trans>Receipts</Trans>}
      actions={
        <Button
          kind="quiet"
          isBusy={isBusy}
          onClick={() => attempt(() => download(receiptApi.export, input, 'receipts.xlsx'))}
        >
          <Trans>Export</Trans>
        </Button>
      }
    >
      <Meters figures={figures} asks={needsAcknowledgement} />
      {versions.length > 1 && (
        <AddressTabs label={t`Texts`} name="text" tabs={texts} current={text} kept={{ part: 'receipts', show }} />
      )}
      <AddressTabs label={t`Recipients`} name="show" tabs={tabs} current={show} kept={{ part: 'receipts', text }} />
      {problem}
      <Recipients key={`${show} ${text}`} id={id} show={show} text={text} asks={needsAcknowledgement} />
    </RecordCard>
  );
}

function Meters({ figures, asks }: { figures: Props['figures']; asks: boolean }) {
  const { t } = useLingui();
  const { guardians, guardiansRead, children, childrenAcknowledged, staff, staffRead, staffAcknowledged } = figures;
  const meters = [
    { label: t`Guardians that have read it`, value: guardiansRead, of: guardians },
    { label: t`Children acknowledged for`, value: childrenAcknowledged, of: asks ? children : 0 },
    { label: t`Staff that have read it`, value: staffRead, of: staff },
    { label: t`Staff that have acknowledged it`, value: staffAcknowledged, of: asks ? staff : 0 },
  ];
  return (
    <Stack gap={8} mb={12} className={styles.figures}>
      {meters
        .filter(({ of }) => of > 0)
        .map(({ label, value, of }) => (
          <Meter key={label} label={label} value={value} of={of}>
            {t`${label}: ${value} of ${of}`}
          </Meter>
        ))}
    </Stack>
  );
}

interface RecipientsProps {
  id: number;
  show: Show;
  text: string;
  asks: boolean;
}

function Recipients({ id, show, text, asks }: RecipientsProps) {
  const { t } = useLingui();
  const [place, setPlace] = useState('');
  const query = useRead(receiptApi.list, { id: String(id), show, text, after: place });
  return (
    <QueryBoundary query={query}>
      {({ rows, next }) => (
        <>
          {rows.length === 0 ? (
            <EmptyState message={<Trans>No entries match.</Trans>} />
          ) : (
            <ListRows
              caption={<Trans>Recipients</Trans>}
              heads={[t`Name`, t`Message`, t`Read`, ...(asks ? [t`Acknowledged`] : [])]}
              rows={rows.map((row) => ({
                key: row.id,
                cells: [
                  <div key="name">
                    {row.name}
                    <div className="soft">{row.kind === 'Staff' ? t`Staff` : row.children.join(', ')}</div>
                  </div>,
                  <Delivery key="delivery" receipt={row} />,
                  row.seenAt && showMoment(row.seenAt),
                  ...(asks ? [row.acknowledgedAt && showMoment(row.acknowledgedAt)] : []),
                ],
              }))}
            />
          )}
          <p>
            {place !== '' && (
              <Button onClick={() => setPlace('')}>
                <Trans>First page</Trans>
              </Button>
            )}{' '}
            {next !== null && (
              <Button onClick={() => setPlace(next)}>
                <Trans>Next page</Trans>
              </Button>
            )}
          </p>
        </>
      )}
    </QueryBoundary>
  );
}

function Delivery({ receipt: { delivery, channel } }: { receipt: Receipt }) {
  const { t } = useLingui();
  if (delivery === 'None') return null;
  const way = channel === 'sms' ? t`text message` : channel === 'email' ? t`email` : '';
  return [translateOption(delivery), way].filter(Boolean).join(', ');
}
