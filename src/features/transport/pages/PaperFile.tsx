import { Trans, useLingui } from '@lingui/react/macro';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { FormButtons } from '#kit/browser/form/RecordForm.tsx';
import { UploadField } from '#kit/browser/form/UploadField.tsx';
import { CancelUpload, UploadStatus } from '#kit/browser/form/UploadProgress.tsx';
import { ButtonAnchor } from '#kit/browser/ui/Button.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { showMoment } from '#kit/browser/ui/show.ts';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { noFile } from '#kit/contract/documents.ts';
import type { FieldErrors } from '#kit/contract/errors.ts';
import type { MasterRow } from '#kit/contract/master.ts';
import { fleetApi } from '../contract/fleet.ts';

interface Props {
  row: MasterRow;
  mayChange: boolean;
  onClose: () => void;
}

/** The file of a vehicle's paper: opened, attached or replaced. */
export function PaperFile({ row, mayChange, onClose }: Props) {
  const { t } = useLingui();
  const toast = useToast();
  const query = useRead(fleetApi.paper, { id: row.id });
  return (
    <SideDialog title={t`File of ${row.displayName}`} onClose={onClose}>
      {(close) => (
        <>
          <QueryBoundary query={query}>
            {({ name, storedAt }) =>
              name === '' ? (
                <p className="soft">
                  <Trans>No file yet.</Trans>
                </p>
              ) : (
                <p>
                  <ButtonAnchor
                    href={`/api${fleetApi.viewPaper.path.replace(':id', String(row.id))}`}
                    target="_blank"
                    rel="noreferrer"
                    aria-label={t`View ${name}, opens in a new tab`}
                  >
                    <Trans>View</Trans>
                  </ButtonAnchor>{' '}
                  {name} <span className="soft">{showMoment(storedAt)}</span>
                </p>
              )
            }
          </QueryBoundary>
          {mayChange && (
            <ApiForm
              endpoint={fleetApi.attachPaper}
              label={t`File of ${row.displayName}`}
              initial={{}}
              hiddenValues={{ id: row.id }}
              validate={(_, files): FieldErrors => (files.file ? {} : { file: noFile })}
              onDone={() => {
                toast({ kind: 'success', title: t`Saved.`, of: row.displayName });
                close();
              }}
              buttons={(isSending) => (
                <>
                  <UploadStatus />
                  <FormButtons isSending={isSending} close={close} words={<Trans>Save</Trans>} />
                  <CancelUpload />
                </>
              )}
            >
              <UploadField name="file" hint={<Trans>JPG, PNG or PDF, at most 4 MB.</Trans>} />
            </ApiForm>
          )}
        </>
      )}
    </SideDialog>
  );
}
