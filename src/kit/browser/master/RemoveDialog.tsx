import { Trans, useLingui } from '@lingui/react/macro';
import { useAction } from '#kit/browser/data/action.ts';
import { AskDialog } from '#kit/browser/ui/AskDialog.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import type { Master, MasterRow } from '#kit/contract/master.ts';

interface Props {
  master: Master;
  row: MasterRow;
  onClose: () => void;
  /** The row is gone, and the dialog with it. */
  onRemoved: () => void;
}

/** Asks before a record is deleted. */
export function RemoveDialog({ master, row, onClose, onRemoved }: Props) {
  const { t } = useLingui();
  const toast = useToast();
  const remove = useAction(master.api.remove);
  return (
    <AskDialog
      title={t`Delete ${row.displayName}`}
      confirm={<Trans>Delete</Trans>}
      isBad
      problem={remove.problem}
      onClose={onClose}
      onConfirm={async (close) => {
        if (!(await remove.run({ id: row.id, version: row.version }))) return;
        close();
        onRemoved();
        toast({ kind: 'success', title: t`Deleted.`, of: row.displayName });
      }}
    >
      <Trans>This can’t be undone.</Trans>
    </AskDialog>
  );
}
