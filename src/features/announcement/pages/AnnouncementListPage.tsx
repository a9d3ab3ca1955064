import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { RecordList } from '#kit/browser/list/RecordList.tsx';
import { useListAddress } from '#kit/browser/list/use-list-address.ts';
import { translate, translateOption } from '#kit/browser/text.ts';
import { AddressTabs } from '#kit/browser/ui/AddressTabs.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { Status } from '#kit/browser/ui/Status.tsx';
import { announcementApi } from '../contract/announcement.ts';
import { announcementList } from '../contract/list.ts';
import { manyApi } from '../contract/many.ts';
import { announcementPages } from '../contract/pages.ts';
import type { AnnouncementState } from '../contract/words.ts';
import { AddAnnouncement } from './AnnouncementForm.tsx';
import { BulkActs } from './BulkActs.tsx';
import { Feed } from './Feed.tsx';
import { stateKinds } from './state-kinds.ts';

/** /school-erp/announcement/announcement-list: what is published for the user, and what the user writes. */
export function AnnouncementListPage() {
  const { t } = useLingui();
  const { address, go } = useListAddress();
  const mayWrite = useMay(announcementApi.create);
  const [isAdding, setAdding] = useState(false);
  const isOpen = mayWrite && (isAdding || address.act === 'add');
  const parts = [
    { key: 'feed', title: t`For me` },
    { key: 'written', title: t`All announcements` },
  ];
  const part = mayWrite && address.part === 'written' ? 'written' : 'feed';
  const add = mayWrite ? () => setAdding(true) : undefined;
  const close = () => {
    setAdding(false);
    if (address.act) go({ ...address, act: '' });
  };
  return (
    <>
      <PageHead title={translate(announcementPages[0].title)}>
        {add && part === 'feed' && (
          <Button kind="main" onClick={add}>
            <Trans>Add announcement</Trans>
          </Button>
        )}
      </PageHead>
      {mayWrite && <AddressTabs label={t`Whose announcements`} name="part" tabs={parts} current={part} />}
      {part === 'feed' ? <Feed onAdd={add} /> : <Written onAdd={add} />}
      {isOpen && <AddAnnouncement onClose={close} />}
    </>
  );
}

function Written({ onAdd }: { onAdd: (() => void) | undefined }) {
  const isKeeper = useMay(manyApi.withdrawMany);
  return (
    <RecordList
      list={announcementList}
      open={({ id }) => ({
        to: '/school-erp/announcement/announcement-list/$announcementID',
        params: { announcementID: String(id) },
      })}
      cells={{
        state: ({ state }) => <Status kind={stateKinds[state as AnnouncementState]}>{translateOption(state)}</Status>,
      }}
      onAdd={onAdd}
      bulk={isKeeper ? (selection, clear) => <BulkActs selection={selection} clear={clear} /> : undefined}
      empty={{
        message: <Trans>No announcements yet.</Trans>,
        children: onAdd && (
          <Button kind="main" onClick={onAdd}>
            <Trans>Add announcement</Trans>
          </Button>
        ),
      }}
    />
  );
}
