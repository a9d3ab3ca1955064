import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { RunDialog } from '#features/run/ui/RunDialog.tsx';
import { usePreview } from '#kit/browser/data/preview.tsx';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { RadioField } from '#kit/browser/form/choices.tsx';
import { FormButtons } from '#kit/browser/form/RecordForm.tsx';
import { BulkAct } from '#kit/browser/list/BulkAct.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { Unsaved } from '#kit/browser/ui/unsaved.tsx';
import type { Selection } from '#kit/contract/list-view.ts';
import { certificateApi, certificateKinds } from '../contract/certificate.ts';
import { AllPages } from '../ui/Leavers.tsx';
import { CertificateDetails } from './IssueCertificate.tsx';

interface Props {
  selection: Selection;
  clear: () => void;
}

/** Issues certificates of one kind to the selected students, after a preview, as a run. */
export function IssueMany({ selection, clear }: Props) {
  const { t } = useLingui();
  const [isOpen, setOpen] = useState(false);
  const [run, setRun] = useState<number>();
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Trans>Certificates…</Trans>
      </Button>
      {isOpen && (
        <Issue
          selection={selection}
          onStarted={(started) => {
            setOpen(false);
            setRun(started);
          }}
          onClose={() => setOpen(false)}
        />
      )}
      {run !== undefined && (
        <RunDialog
          id={run}
          title={t`Issue certificates`}
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

interface IssueProps extends Pick<Props, 'selection'> {
  onStarted: (run: number) => void;
  onClose: () => void;
}

function Issue({ selection, onStarted, onClose }: IssueProps) {
  const { t } = useLingui();
  const preview = usePreview(certificateApi.makeMany);
  const { firstNumber: first, inEnglishLetters: latin = 0 } = preview.shown?.answer ?? {};
  return (
    <SideDialog
      title={t`Certificates for the selected students`}
      about={t`You will see who can get one first.`}
      onClose={onClose}
    >
      {(close) => (
        <>
          <ApiForm
            endpoint={certificateApi.makeMany}
            label={t`Certificates for the selected students`}
            initial={{ kind: 'Leaving', language: 'English', purpose: '', conduct: 'Good' }}
            hiddenValues={{ selection }}
            onDone={(answer, input) => preview.take(input, answer)}
            buttons={(isSending) => <FormButtons isSending={isSending} close={close} words={<Trans>Preview</Trans>} />}
          >
            <RadioField name="kind" options={certificateKinds} />
            <CertificateDetails />
          </ApiForm>
          {preview.shown && <Unsaved />}
          <BulkAct
            preview={preview}
            title={t`Issue certificates`}
            effect={(count) => (
              <>
                <Plural value={count} one="# certificate is issued." other="# certificates are issued." />{' '}
                {first && <Trans>The first is {first}, if issued now. Numbers follow class and roll number.</Trans>}{' '}
                {latin > 0 && (
                  <Plural
                    value={latin}
                    one="# of them has a name that the register has in English letters only: it is printed so."
                    other="# of them have names that the register has in English letters only: they are printed so."
                  />
                )}
              </>
            )}
            confirm={<Trans>Issue</Trans>}
            onApplied={(answer) => {
              const { runId } = answer as unknown as { runId: number | null };
              if (runId !== null) onStarted(runId);
            }}
          />
        </>
      )}
    </SideDialog>
  );
}
