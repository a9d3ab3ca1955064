import { Trans, useLingui } from '@lingui/react/macro';
import { useId, useState } from 'react';
import { sectionOptions } from '#features/student/contract/list.ts';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { useDownload } from '#kit/browser/data/download.tsx';
import { FilterOption } from '#kit/browser/list/FilterOption.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { DateInput } from '#kit/browser/ui/DateInput.tsx';
import { DialogButtons } from '#kit/browser/ui/Dialog.tsx';
import { addDays } from '#kit/browser/ui/read-date.ts';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { today } from '#kit/browser/ui/show.ts';
import { diaryApi } from '../contract/diary.ts';
import { mondayOf } from '../contract/load.ts';

/** Downloads the homework of a section, by default of this week, as a PDF. */
export function DiaryDialog({ section, onClose }: { section: string; onClose: () => void }) {
  const { t } = useLingui();
  const download = useDownload();
  const { attempt, isBusy, problem } = useAttempt();
  const [sectionId, setSection] = useState(section);
  const monday = mondayOf(today());
  const [from, setFrom] = useState(monday);
  const [to, setTo] = useState(addDays(monday, 6));
  const id = useId();
  return (
    <SideDialog
      title={t`Homework diary`}
      about={t`The homework that a section got on these days, as a PDF.`}
      onClose={onClose}
    >
      {(close) => (
        <>
          <FilterOption
            label={t`Section`}
            options={sectionOptions}
            all={t`Choose a section`}
            value={sectionId}
            onChange={setSection}
          />
          <div className="question">
            <label htmlFor={`${id}-from`}>{t`From`}</label>
            <DateInput id={`${id}-from`} name="from" value={from} toward="past" onChange={setFrom} onLeave={noCheck} />
          </div>
          <div className="question">
            <label htmlFor={`${id}-to`}>{t`To`}</label>
            <DateInput id={`${id}-to`} name="to" value={to} toward="past" onChange={setTo} onLeave={noCheck} />
          </div>
          {problem}
          <DialogButtons>
            <Button onClick={close}>
              <Trans>Cancel</Trans>
            </Button>
            <Button
              kind="main"
              isBusy={isBusy}
              disabled={sectionId === ''}
              onClick={() =>
                attempt(async () => {
                  await download(diaryApi.diary, { sectionId, from, to }, t`homework-diary.pdf`);
                  close();
                })
              }
            >
              <Trans>Download</Trans>
            </Button>
          </DialogButtons>
        </>
      )}
    </SideDialog>
  );
}

/** The server says what is wrong with the days. */
const noCheck = () => undefined;
