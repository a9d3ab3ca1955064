import { Trans, useLingui } from '@lingui/react/macro';
import { useAction } from '#kit/browser/data/action.ts';
import { AskDialog } from '#kit/browser/ui/AskDialog.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import type { Master } from '#kit/contract/master.ts';

/** Deletes a record of a version. */
export type Removal = Master['api']['remove'];

interface Props {
  endpoint: Removal;
  row: { id: number; version: number; displayName: string };
  onClose: () => void;
  /** The row is gone, and the dialog with it. */
  onRemoved: () => void;
}

/** Asks before a record is deleted. */
export function RemoveDialog({ endpoint, row: { id, version, displayName }, onClose, onRemoved }: Props) {
  const { t } = useLingui();
  const toast = useToast();
  const remove = useAction(endpoint);
  return (
    <AskDialog
      title={t`Delete ${displayName}`}
      confirm={<Trans>Delete</Trans>}
      isBad
      problem={remove.problem}
      onClose={onClose}
      onConfirm={async (close) => {
        if (!(await remove.run({ id, version }))) return;
        close();
        onRemoved();
        toast({ kind: 'success', title: t`Deleted.`, of: displayName });
      }}
    >
      <Trans>This can’t be undone.</Trans>
    </AskDialog>
  );
}
