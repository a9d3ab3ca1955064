import { Trans, useLingui } from '@lingui/react/macro';
import { lazy, Suspense, useState } from 'react';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { useDownload } from '#kit/browser/data/download.tsx';
import { RecordList } from '#kit/browser/list/RecordList.tsx';
import { useListAddress } from '#kit/browser/list/use-list-address.ts';
import { AddedListActs } from '#kit/browser/record/added.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Chip, type ChipKind } from '#kit/browser/ui/Chip.tsx';
import { Initials } from '#kit/browser/ui/Initials.tsx';
import { Row } from '#kit/browser/ui/Layout.tsx';
import { Menu } from '#kit/browser/ui/Menu.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { Status } from '#kit/browser/ui/Status.tsx';
import { awayReaders, staffList } from '../contract/list.ts';
import { staffRecordApi, type staffStatuses } from '../contract/record.ts';
import { AddStaff } from './AddStaff.tsx';
import { IdCardsButton } from './IdCardsButton.tsx';

const ImportStaff = lazy(async () => ({ default: (await import('./ImportStaff.tsx')).ImportStaff }));

const statusKinds: Record<(typeof staffStatuses)[number], ChipKind> = {
  Active: 'good',
  Joining: 'info',
  Left: 'plain',
};

/** The list for those who do not keep the records, and so read no personal data and no documents. */
const { documentsDue: _, gender: __, birthDate: ___, ...columns } = staffList.columns;
const { documents: ____, ...filters } = staffList.filters;
const { due: _____, ...tabs } = staffList.tabs;
const readersList = { ...staffList, columns, filters, tabs } as typeof staffList;

/** A list without the filter of those who are away today. */
function withoutAway(list: typeof staffList): typeof staffList {
  const { away: _away, ...others } = list.filters;
  return { ...list, filters: others as typeof list.filters };
}
const lists = [
  { isKept: true, isAwayRead: true, list: staffList },
  { isKept: true, isAwayRead: false, list: withoutAway(staffList) },
  { isKept: false, isAwayRead: true, list: readersList },
  { isKept: false, isAwayRead: false, list: withoutAway(readersList) },
];

/** /school-erp/staff/staff-list: everyone who works at the school, will, or did. */
export function StaffListPage() {
  const { t } = useLingui();
  const { address, go } = useListAddress();
  const [opened, setOpen] = useState<string>();
  // The steps of a new school open the page with an act in its address.
  const open = opened ?? address.act;
  const close = () => {
    setOpen(undefined);
    if (address.act) go({ ...address, act: '' });
  };
  const isKeeper = useMay(staffRecordApi.create);
  const readsAway = useMay({ access: awayReaders });
  const awayWords = {
    Day: t`Away today`,
    'First half': t`Away, first half`,
    'Second half': t`Away, second half`,
  };
  const add = isKeeper ? () => setOpen('add') : undefined;
  const importAll = () => setOpen('import');
  const download = useDownload();
  const { attempt, problem } = useAttempt();
  const exportForImport = () =>
    attempt(async () => {
      const columns = (await import('../contract/import.ts')).listedColumns.join(',');
      const narrowed = Object.keys(staffList.query).map((name) => [name, address[name] ?? '']);
      await download(staffList.api.export, { ...Object.fromEntries(narrowed), as: 'xlsx', columns }, t`staff.xlsx`);
    });
  return (
    <>
      <PageHead title={t`Staff List`} />
      <RecordList
        list={lists.find((one) => one.isKept === isKeeper && one.isAwayRead === readsAway)?.list ?? readersList}
        open={({ id }) => ({ to: '/school-erp/staff/view-staff/$userID', params: { userID: String(id) } })}
        lead={({ name, picture }) => <Initials name={name} picture={picture} />}
        cells={{
          status: ({ status, away }) => (
            <Row as="span" inline gap="4 8" wrap>
              <Status kind={statusKinds[status as keyof typeof statusKinds]}>{translateOption(status)}</Status>
              {away && <Chip kind="warn">{awayWords[away]}</Chip>}
            </Row>
          ),
        }}
        onAdd={add}
        notice={problem}
        more={
          isKeeper && (
            <>
              <Menu.Item onClick={importAll}>
                <Trans>Import…</Trans>
              </Menu.Item>
              <Menu.Item onClick={exportForImport}>
                <Trans>Export for an import</Trans>
              </Menu.Item>
            </>
          )
        }
        empty={
          add
            ? {
                message: <Trans>Add your first staff member or import the list.</Trans>,
                children: (
                  <>
                    <Button kind="main" onClick={add}>
                      <Trans>Add staff member</Trans>
                    </Button>{' '}
                    <Button onClick={importAll}>
                      <Trans>Import…</Trans>
                    </Button>
                  </>
                ),
              }
            : { message: <Trans>No staff yet.</Trans> }
        }
        bulk={
          isKeeper
            ? (selection, clear, number) => (
                <>
                  <AddedListActs list="staff" selection={selection} number={number} clear={clear} />
                  <IdCardsButton selection={selection} />
                </>
              )
            : undefined
        }
      />
      {open === 'add' && isKeeper && <AddStaff onClose={close} />}
      {open === 'import' && isKeeper && (
        <Suspense fallback={null}>
          <ImportStaff onClose={close} />
        </Suspense>
      )}
    </>
  );
}
