import { Trans, useLingui } from '@lingui/react/macro';
import type { Master, MasterRow } from '#kit/contract/master.ts';
import { useAttempt } from '../attempt.tsx';
import { call } from '../call.ts';
import { useConfirmed } from '../confirmed.ts';
import { useToast } from '../toast.tsx';
import { AskDialog } from './AskDialog.tsx';

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
