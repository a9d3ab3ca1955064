import { Trans, useLingui } from '@lingui/react/macro';
import { Button } from '#kit/browser/ui/Button.tsx';
import { ProgressBar } from '#kit/browser/ui/ProgressBar.tsx';
import { useApiForm } from './form-context.ts';
import styles from './UploadProgress.module.css';

/** The progress of a form's files, for an element with `role="status"`. Empty while none is being sent. */
export function UploadProgress() {
  const { t } = useLingui();
  const { upload } = useApiForm();
  if (!upload) return null;
  if (upload.kind === 'cancelled') return <Trans>Upload cancelled. Your answers are still here.</Trans>;
  const { percent } = upload;
  return (
    <span className={styles.progress}>
      <span>
        {percent === undefined ? (
          <Trans>No connection. Trying again.</Trans>
        ) : percent === 100 ? (
          <Trans>Uploaded, being checked</Trans>
        ) : (
          <Trans>Uploading {percent} %</Trans>
        )}
      </span>
      <ProgressBar max={100} value={percent ?? 0} aria-label={t`Upload`} />
    </span>
  );
}

/** The progress, above the button that sends the files. */
export const UploadStatus = () => (
  <div className={styles.status} role="status">
    <UploadProgress />
  </div>
);

/** Cancels the running upload; the form keeps its values. */
export function CancelUpload() {
  const { upload } = useApiForm();
  if (upload?.kind !== 'sending') return null;
  return (
    <Button onClick={upload.cancel}>
      <Trans>Cancel upload</Trans>
    </Button>
  );
}
