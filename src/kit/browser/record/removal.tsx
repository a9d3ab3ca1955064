import { Trans, useLingui } from '@lingui/react/macro';
import { useAction } from '#kit/browser/data/action.ts';
import { FormOpener } from '#kit/browser/form/RecordForm.tsx';
import { translate } from '#kit/browser/text.ts';
import { AskDialog } from '#kit/browser/ui/AskDialog.tsx';
import { type ToastAction, useToast } from '#kit/browser/ui/toast.tsx';
import type { removedAnswer } from '#kit/contract/added.ts';
import type { Endpoint, InputOf, OutputOf } from '#kit/contract/endpoint.ts';

type Removing = Endpoint & { output: typeof removedAnswer };

/** Runs a removal, and says in a message that it is done, or what hangs on the record. Answers whether it is gone. */
function useRemoval<Operation extends Removing>(endpoint: Operation) {
  const { t } = useLingui();
  const toast = useToast();
  const refuse = (text: string) => toast({ kind: 'error', title: t`Not removed.`, text });
  const { run } = useAction(endpoint, { onRefused: (refused) => refuse(translate(refused.text)) });
  return async (input: InputOf<Operation>) => {
    const answer = (await run(input)) as OutputOf<Removing> | undefined;
    if (!answer) return false;
    const blocks = answer.blocks.map(translate).join(', ');
    if (blocks) refuse(t`The record is in use: ${blocks}`);
    else toast({ kind: 'success', title: t`Removed again.` });
    return blocks === '';
  };
}

/** “Undo” in the message that a record was added. */
export function useUndoAdding<Operation extends Removing>(
  endpoint: Operation,
): (input: InputOf<Operation>) => ToastAction {
  const { t } = useLingui();
  const remove = useRemoval(endpoint);
  return (input) => ({ label: t`Undo`, shortcut: 'Control+Z', act: () => void remove(input) });
}

interface Props<Operation extends Removing> {
  endpoint: Operation;
  input: InputOf<Operation>;
  /** Whose record, or which. */
  name: string;
  /** Leaves the page of the record. */
  onRemoved: () => void;
}

/** Removes a record that was entered by mistake, after a question. */
export function RemoveRecord<Operation extends Removing>({ endpoint, input, name, onRemoved }: Props<Operation>) {
  const { t } = useLingui();
  const remove = useRemoval(endpoint);
  return (
    <FormOpener kind="plain" title={t`Remove ${name}`} label={<Trans>Remove…</Trans>}>
      {(onClose) => (
        <AskDialog
          title={t`Remove ${name}?`}
          confirm={<Trans>Remove</Trans>}
          isBad
          onConfirm={async (close) => {
            const isRemoved = await remove(input);
            close();
            if (isRemoved) onRemoved();
          }}
          onClose={onClose}
        >
          <Trans>
            For a record that was entered by mistake. It can be removed for 24 hours, while nothing else uses it.
          </Trans>
        </AskDialog>
      )}
    </FormOpener>
  );
}
