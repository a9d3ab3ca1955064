import { useLingui } from '@lingui/react/macro';
import { useAction } from '#kit/browser/data/action.ts';
import { translate } from '#kit/browser/text.ts';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { removeApi } from '../contract/remove.ts';

/** Removes a student who was added a moment ago; says what stands in the way, if anything does. */
export function useUndoAdding() {
  const { t } = useLingui();
  const toast = useToast();
  const refuse = (text: string) => toast({ kind: 'error', title: t`Not removed.`, text });
  const { run } = useAction(removeApi.remove, { onRefused: (refused) => refuse(translate(refused.text)) });
  return async (id: number) => {
    const input = { id, version: 1, reason: '', sameGrNo: '' };
    const preview = await run(input);
    if (!preview) return;
    const { blocks, confirmToken } = preview;
    if (confirmToken === null) return refuse(blocks.map(translate).join(', '));
    if (await run({ ...input, confirmToken })) toast({ kind: 'success', title: t`The student was removed again.` });
  };
}
