import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { get } from '#kit/browser/data/get.ts';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { UploadField } from '#kit/browser/form/UploadField.tsx';
import { UploadStatus } from '#kit/browser/form/UploadProgress.tsx';
import { FilterOption } from '#kit/browser/list/FilterOption.tsx';
import type { RowOf } from '#kit/browser/list/RecordList.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { DialogButtons } from '#kit/browser/ui/Dialog.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import type { FieldErrors } from '#kit/contract/errors.ts';
import { sectionOptions, studentList } from '../contract/list.ts';
import { noPhoto, photoApi } from '../contract/photo.ts';

type Student = RowOf<typeof studentList>;

interface Props {
  /** The section that the list is filtered by; '' without one. */
  section: string;
  onClose: () => void;
}

/** Takes the photos that a section lacks, one student after the other. */
export function PhotoRound({ section, onClose }: Props) {
  const { t } = useLingui();
  const [sectionId, setSection] = useState(section);
  const [students, setStudents] = useState<Student[]>();
  const [place, setPlace] = useState(0);
  const { attempt, isBusy, problem } = useAttempt();
  const begin = () => attempt(async () => setStudents(await listWithoutPhoto(sectionId)));
  const student = students?.[place];
  const next = () => setPlace(place + 1);
  return (
    <SideDialog title={t`Photos of a section`} onClose={onClose}>
      {(close) => {
        if (students && student)
          return (
            <OnePhoto
              key={student.id}
              student={student}
              number={place + 1}
              of={students.length}
              next={next}
              close={close}
            />
          );
        return (
          <>
            {students ? (
              <p role="status">
                {students.length === 0 ? (
                  <Trans>Every student of this section has a photo.</Trans>
                ) : (
                  <Trans>This was the last student without a photo.</Trans>
                )}
              </p>
            ) : (
              <FilterOption
                label={t`Section`}
                options={sectionOptions}
                all={t`Choose a section`}
                value={sectionId}
                onChange={setSection}
              />
            )}
            {problem}
            <DialogButtons>
              <Button onClick={close}>{students ? <Trans>Close</Trans> : <Trans>Cancel</Trans>}</Button>
              {!students && sectionId && (
                <Button kind="main" isBusy={isBusy} onClick={begin}>
                  <Trans>Begin</Trans>
                </Button>
              )}
            </DialogButtons>
          </>
        );
      }}
    </SideDialog>
  );
}

/** The students of a section without a photo, by name. */
async function listWithoutPhoto(sectionId: string): Promise<Student[]> {
  const found: Student[] = [];
  for (let after = ''; ; ) {
    const page = await get(studentList.api.list, { sectionId, missing: 'Photo', search: '', after });
    found.push(...page.rows);
    if (page.next === null) return found;
    after = page.next;
  }
}

interface OneProps {
  student: Student;
  number: number;
  of: number;
  next: () => void;
  close: () => void;
}

function OnePhoto({ student: { id, name, section, rollNo, grNo }, number, of, next, close }: OneProps) {
  const { t } = useLingui();
  return (
    <ApiForm
      endpoint={photoApi.savePhoto}
      label={t`Photo of ${name}`}
      initial={{}}
      hiddenValues={{ id }}
      validate={(_, files): FieldErrors => (files.photo ? {} : { photo: noPhoto })}
      onDone={next}
      buttons={(isSending) => (
        <>
          <UploadStatus />
          <DialogButtons>
            <Button onClick={close}>
              <Trans>Close</Trans>
            </Button>
            <Button onClick={next}>
              <Trans>Skip</Trans>
            </Button>
            <Button kind="main" type="submit" isBusy={isSending}>
              <Trans>Save and next</Trans>
            </Button>
          </DialogButtons>
        </>
      )}
    >
      <p role="status" className="soft">
        <Trans>
          {number} of {of}
        </Trans>
      </p>
      <h3>{name}</h3>
      <p>{[section, rollNo !== null && t`Roll ${rollNo}`, t`GR ${grNo}`].filter(Boolean).join(' · ')}</p>
      <UploadField name="photo" isHeaded hint={<Trans>PNG or JPG, at most 2 MB.</Trans>} />
    </ApiForm>
  );
}
