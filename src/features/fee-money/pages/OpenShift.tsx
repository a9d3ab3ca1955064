import { Trans, useLingui } from '@lingui/react/macro';
import { useAction } from '#kit/browser/data/action.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { showMoney } from '#kit/contract/money.ts';
import { dayApi } from '../contract/day.ts';

interface Props {
  /** The number of the shift that opens. */
  shift: number;
  onDone?: () => void;
}

/** Opens another shift of the own drawer. */
export function OpenShift({ shift, onDone }: Props) {
  const { t } = useLingui();
  const toast = useToast();
  const act = useAction(dayApi.openShift);
  const open = async () => {
    const answer = await act.run({});
    if (!answer) return;
    toast({
      kind: 'success',
      title: t`Shift ${answer.shift} is open, with ${showMoney(answer.openingCash)} in the drawer.`,
    });
    onDone?.();
  };
  return (
    <>
      <Button kind="main" isBusy={act.isBusy} onClick={() => void open()}>
        {shift === 3 ? <Trans>Open a third shift</Trans> : <Trans>Open a second shift</Trans>}
      </Button>
      {act.problem}
    </>
  );
}
