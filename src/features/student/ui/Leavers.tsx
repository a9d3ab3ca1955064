import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { RunDialog } from '#features/run/ui/RunDialog.tsx';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { useAction } from '#kit/browser/data/action.ts';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { useDownload } from '#kit/browser/data/download.tsx';
import { usePreview } from '#kit/browser/data/preview.tsx';
import { RadioField } from '#kit/browser/form/choices.tsx';
import { FieldControls } from '#kit/browser/form/FieldControl.tsx';
import { FormOpener, RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { BulkAct } from '#kit/browser/list/BulkAct.tsx';
import { RecordList } from '#kit/browser/list/RecordList.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import type { Selection } from '#kit/contract/list-view.ts';
import { type CertificateLanguage, certificateApi, certificateLanguages } from '../contract/certificate.ts';
import { describedFields, leaverApi, leaverList } from '../contract/leaver.ts';

/** The children who leave with the last day of a year, with what their certificates say, and the run that makes them. */
export function Leavers({ yearId }: { yearId: number }) {
  const mayComplete = useMay(leaverApi.complete);
  return (
    <RecordList
      list={leaverList}
      usual={{ yearId: String(yearId) }}
      open={({ studentId }) => ({
        to: '/school-erp/student/student-list/$studentID',
        params: { studentID: String(studentId) },
        search: { part: 'papers' },
      })}
      bulk={
        mayComplete
          ? (selection, clear) => (
              <>
                <Complete selection={selection} clear={clear} />
                <Describe selection={selection} clear={clear} />
              </>
            )
          : undefined
      }
      empty={{
        message: <Trans>No student leaves with this year. Only students of a grade without a next grade leave.</Trans>,
      }}
    />
  );
}

interface ActProps {
  selection: Selection;
  clear: () => void;
}

/** Keeps conduct and progress of the selected leavers. */
function Describe({ selection, clear }: ActProps) {
  const { t } = useLingui();
  const preview = usePreview(leaverApi.describe);
  return (
    <>
      <FormOpener title={t`Conduct and progress`} label={<Trans>Conduct and progress…</Trans>} kind="plain">
        {(onClose) => (
          <RecordForm
            title={t`Conduct and progress`}
            about={t`For the selected students. An empty field changes nothing.`}
            endpoint={leaverApi.describe}
            initial={{ conduct: '', progress: '' }}
            hiddenValues={{ selection }}
            words={<Trans>Preview</Trans>}
            saved={null}
            onDone={(previewed, input) => preview.take(input, previewed)}
            onClose={onClose}
          >
            <FieldControls fields={describedFields} />
          </RecordForm>
        )}
      </FormOpener>
      <BulkAct
        preview={preview}
        title={t`Conduct and progress`}
        effect={(count) => <Plural value={count} one="# student is changed." other="# students are changed." />}
        confirm={<Trans>Save</Trans>}
        done={t`Students changed`}
        onApplied={clear}
      />
    </>
  );
}

/** Enters the last day of the selected leavers and makes their certificates, as a run. */
function Complete({ selection, clear }: ActProps) {
  const { t } = useLingui();
  const preview = usePreview(leaverApi.complete);
  const asking = useAction(leaverApi.language);
  const [proposed, setProposed] = useState<CertificateLanguage>();
  const [run, setRun] = useState<number>();
  const { firstNumber: first, inEnglishLetters: latin = 0, otherMedium = 0 } = preview.shown?.answer ?? {};
  return (
    <>
      <Button
        aria-label={t`Complete leavers`}
        isBusy={asking.isBusy}
        onClick={async () => setProposed((await asking.run({ selection }))?.language)}
      >
        <Trans>Complete…</Trans>
      </Button>
      {asking.problem}
      {proposed && (
        <RecordForm
          title={t`Complete leavers`}
          about={t`Conduct and progress of students without their own entry. You will see who gets a certificate first.`}
          endpoint={leaverApi.complete}
          initial={{ conduct: t`Good`, progress: t`Passed`, language: proposed }}
          hiddenValues={{ selection }}
          words={<Trans>Preview</Trans>}
          saved={null}
          onDone={(previewed, input) => preview.take(input, previewed)}
          onClose={() => setProposed(undefined)}
        >
          <FieldControls fields={describedFields} />
          <RadioField name="language" options={certificateLanguages} />
        </RecordForm>
      )}
      <BulkAct
        preview={preview}
        title={t`Complete leavers`}
        effect={(count) => (
          <>
            <Plural
              value={count}
              one="# student gets the last day of the year and a leaving certificate."
              other="# students get the last day of the year and a leaving certificate."
            />{' '}
            {first && <Trans>The first is {first}, if issued now. Numbers follow class and roll number.</Trans>}{' '}
            {otherMedium > 0 && (
              <Plural
                value={otherMedium}
                one="The medium of # of them asks for a certificate in another language."
                other="The medium of # of them asks for certificates in another language."
              />
            )}{' '}
            {latin > 0 && (
              <Plural
                value={latin}
                one="# of them has a name that the register has in English letters only: it is printed so."
                other="# of them have names that the register has in English letters only: they are printed so."
              />
            )}
          </>
        )}
        confirm={<Trans>Complete</Trans>}
        onApplied={(answer) => {
          const { runId } = answer as unknown as { runId: number | null };
          if (runId !== null) setRun(runId);
        }}
      />
      {run !== undefined && (
        <RunDialog
          id={run}
          title={t`Complete leavers`}
          further={({ done }) => done > 0 && <AllPages run={run} />}
          onClose={() => {
            setRun(undefined);
            clear();
          }}
        />
      )}
    </>
  );
}

/** The certificates of a run as one PDF. */
export function AllPages({ run }: { run: number }) {
  const download = useDownload();
  const { attempt, problem } = useAttempt();
  return (
    <>
      <Button
        kind="main"
        onClick={() => void attempt(() => download(certificateApi.runFile, { run }, `certificates-${run}.pdf`))}
      >
        <Trans>Download all as one PDF</Trans>
      </Button>
      {problem}
    </>
  );
}
