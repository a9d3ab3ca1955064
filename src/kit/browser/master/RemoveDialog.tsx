import { Trans, useLingui } from '@lingui/react/macro';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { call } from '#kit/browser/data/call.ts';
import { AskDialog } from '#kit/browser/ui/AskDialog.tsx';
import { useConfirmed } from '#kit/browser/ui/confirmed.ts';
import { useToast } from '#kit/browser/ui/toast.tsx';
import type { Master, MasterRow } from '#kit/contract/master.ts';

interface Props {
  master: Master;
  row: MasterRow;
  onClose: () => void;
  onDone: () => Promise<unknown>;
}

/** Asks before something is removed for good. */
export function RemoveDialog({ master, row, onClose, onDone }: Props) {
  const { t } = useLingui();
  const toast = useToast();
  const confirmed = useConfirmed();
  const { attempt, problem } = useAttempt();
  return (
    <AskDialog
      title={t`Remove ${row.called}`}
      confirm={<Trans>Remove</Trans>}
      isBad
      problem={problem}
      onClose={onClose}
      onConfirm={(close) =>
        attempt(async () => {
          await confirmed(() => call(master.api.remove, { id: row.id, version: row.version }));
          close();
          toast({ kind: 'success', title: t`Removed.` });
          await onDone();
        })
      }
    >
      <Trans>It is used nowhere, and will be gone for good.</Trans>
    </AskDialog>
  );
}
