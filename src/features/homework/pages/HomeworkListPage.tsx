import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { yearApi } from '#features/calendar/contract/year.ts';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { useRead } from '#kit/browser/data/read.ts';
import { RecordList } from '#kit/browser/list/RecordList.tsx';
import { useListAddress } from '#kit/browser/list/use-list-address.ts';
import { translate, translateOption } from '#kit/browser/text.ts';
import { AddressTabs } from '#kit/browser/ui/AddressTabs.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Chip } from '#kit/browser/ui/Chip.tsx';
import { Menu } from '#kit/browser/ui/Menu.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { Status } from '#kit/browser/ui/Status.tsx';
import { showDate } from '#kit/contract/day.ts';
import { homeworkApi } from '../contract/homework.ts';
import { diaryImportApi } from '../contract/import.ts';
import { homeworkList } from '../contract/list.ts';
import { manyApi } from '../contract/many.ts';
import { homeworkPages } from '../contract/pages.ts';
import type { HomeworkState } from '../contract/words.ts';
import { BulkActs, CloseOfYear } from './BulkActs.tsx';
import { DiaryDialog } from './DiaryDialog.tsx';
import { GiveForm } from './GiveForm.tsx';
import { ImportDiary } from './ImportDiary.tsx';
import { MissingList } from './MissingList.tsx';
import { stateKinds } from './state.ts';

/** /school-erp/homework/homework-list: the homework of the sections that the user reaches. */
export function HomeworkListPage() {
  const { t } = useLingui();
  const { address, go } = useListAddress();
  const [isGiving, setGiving] = useState(false);
  const [isDiary, setDiary] = useState(false);
  const mayGive = useMay(homeworkApi.create);
  const mayClose = useMay(manyApi.closeMany);
  const mayImport = useMay(diaryImportApi.import);
  const [isImporting, setImporting] = useState(false);
  const years = useRead(yearApi.list, {});
  const year = years.data?.find(({ id, phase }) => String(id) === address.yearId && phase === 'Ended');
  const give = mayGive ? () => setGiving(true) : undefined;
  // Search opens the page with an act in its address.
  const isOpen = mayGive && (isGiving || address.act === 'give');
  const parts = [
    { key: '', title: t`Homework` },
    { key: 'missing', title: t`Missing by student` },
  ];
  const part = address.part === 'missing' ? 'missing' : '';
  const close = () => {
    setGiving(false);
    if (address.act) go({ ...address, act: '' });
  };
  return (
    <>
      <PageHead title={translate(homeworkPages[0].title)} />
      <AddressTabs label={t`Homework or students`} name="part" tabs={parts} current={part} />
      {part === 'missing' && <MissingList />}
      {part === '' && (
        <RecordList
          list={homeworkList}
          notice={mayClose && year && <CloseOfYear year={year} />}
          open={({ id }) => ({
            to: '/school-erp/homework/homework-list/$homeworkID',
            params: { homeworkID: String(id) },
          })}
          cells={{
            dueOn: ({ dueOn, countsUntil }) =>
              countsUntil ? (
                <>
                  {showDate(dueOn)} <Chip kind="warn">{t`until ${showDate(countsUntil)}`}</Chip>
                </>
              ) : (
                showDate(dueOn)
              ),
            state: ({ state }) => <Status kind={stateKinds[state as HomeworkState]}>{translateOption(state)}</Status>,
          }}
          isSoft={({ state }) => state === 'Cancelled'}
          onAdd={give}
          more={
            <>
              <Menu.Item onClick={() => setDiary(true)}>
                <Trans>Diary of a section…</Trans>
              </Menu.Item>
              {mayImport && (
                <Menu.Item onClick={() => setImporting(true)}>
                  <Trans>Import homework…</Trans>
                </Menu.Item>
              )}
            </>
          }
          bulk={
            mayClose
              ? (selection, clear) => <BulkActs selection={selection} clear={clear} mayPublish={mayGive} />
              : undefined
          }
          empty={{
            message: give ? (
              <Trans>No homework yet. Press N to give the first.</Trans>
            ) : (
              <Trans>No homework yet. Teachers give it to the sections and subjects that they are mapped to.</Trans>
            ),
            children: give && (
              <Button kind="main" onClick={give}>
                {t`Give homework`}
              </Button>
            ),
          }}
        />
      )}
      {isDiary && <DiaryDialog section={address.sectionId ?? ''} onClose={() => setDiary(false)} />}
      {isImporting && <ImportDiary onClose={() => setImporting(false)} />}
      {isOpen && <GiveForm onClose={close} />}
    </>
  );
}
