import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { useDownload } from '#kit/browser/data/download.tsx';
import { FilterOption } from '#kit/browser/list/FilterOption.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { DialogButtons } from '#kit/browser/ui/Dialog.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import type { Selection } from '#kit/contract/list-view.ts';
import { sectionOptions, studentList } from '../contract/list.ts';
import { manyApi } from '../contract/many.ts';

/** Downloads the ID cards of the selected students, eight to a page. */
export function StudentCards({ selection }: { selection: Selection }) {
  const { t } = useLingui();
  const download = useDownload();
  const { attempt, isBusy, problem } = useAttempt();
  const fileName = t`student-id-cards.pdf`;
  return (
    <>
      <Button isBusy={isBusy} onClick={() => attempt(() => download(manyApi.printCards, selection, fileName))}>
        <Trans>ID cards</Trans>
      </Button>
      {problem}
    </>
  );
}

interface Props {
  /** The section and grade that the list is filtered by; '' without one. */
  section: string;
  grade: string;
  /** The year that the list is of; '' for today. */
  year: string;
  onClose: () => void;
}

/** Downloads class lists with photos: of one section, or of every section of a grade. */
export function ClassListDialog({ section, grade, year, onClose }: Props) {
  const { t } = useLingui();
  const download = useDownload();
  const { attempt, isBusy, problem } = useAttempt();
  const [sectionId, setSection] = useState(section);
  const [gradeId, setGrade] = useState(grade);
  const input = { ...(sectionId ? { sectionId, gradeId: '' } : { sectionId: '', gradeId }), yearId: year, on: '' };
  return (
    <SideDialog
      title={t`Class list with photos`}
      about={t`A PDF for one section, or for every section of a grade: a page each, with its teacher and a box to tick.`}
      onClose={onClose}
    >
      {(close) => (
        <>
          <FilterOption
            label={t`Section`}
            options={sectionOptions}
            {...(year && { given: { yearId: year } })}
            all={t`All of the grade`}
            value={sectionId}
            onChange={setSection}
          />
          {!sectionId && (
            <FilterOption
              label={t`Grade`}
              options={studentList.filters.gradeId.options}
              all={t`My own sections`}
              value={gradeId}
              onChange={setGrade}
            />
          )}
          {problem}
          <DialogButtons>
            <Button onClick={close}>
              <Trans>Cancel</Trans>
            </Button>
            <Button
              kind="main"
              isBusy={isBusy}
              onClick={() =>
                attempt(async () => {
                  await download(manyApi.printClassList, input, t`class-list.pdf`);
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
