import { Trans, useLingui } from '@lingui/react/macro';
import { useBlocker } from '@tanstack/react-router';
import { AskDialog } from '#kit/browser/ui/AskDialog.tsx';
import { useUnsaved } from '#kit/browser/ui/unsaved.tsx';

/** Asks before the user leaves a page with unsaved changes, or starts an act of its record. */
export function LeaveGuard({ isChanged }: { isChanged: boolean }) {
  const { t } = useLingui();
  useUnsaved(isChanged);
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => isChanged,
    enableBeforeUnload: isChanged,
    withResolver: true,
  });
  if (status !== 'blocked') return null;
  return (
    <AskDialog
      title={t`Your changes are not saved.`}
      cancel={<Trans>Keep editing</Trans>}
      confirm={<Trans>Leave without saving</Trans>}
      onClose={reset}
      onConfirm={async () => proceed()}
    />
  );
}
