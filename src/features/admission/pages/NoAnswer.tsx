import { Trans, useLingui } from '@lingui/react/macro';
import { useAction } from '#kit/browser/data/action.ts';
import type { TodoRow } from '#kit/browser/feature.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { showDate } from '#kit/contract/day.ts';
import { inquiryApi } from '../contract/inquiry.ts';

/** Logs in one press that a family did not take the call; the next call is due on the next working day. */
export function NoAnswer({ row: { id, title, seen = '' } }: { row: TodoRow }) {
  const { t } = useLingui();
  const toast = useToast();
  const { run, isBusy, problem } = useAction(inquiryApi.noAnswer);
  const log = async () => {
    const answer = await run({ id, seenOn: seen });
    if (!answer) return;
    const day = showDate(answer.nextOn);
    toast({ kind: 'success', title: t`No answer from ${title}. Next call on ${day}.` });
  };
  return (
    <>
      {problem}
      <Button isBusy={isBusy} aria-label={t`No answer: ${title}`} onClick={log}>
        <Trans>No answer</Trans>
      </Button>
    </>
  );
}
