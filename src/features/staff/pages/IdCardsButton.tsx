import { Trans, useLingui } from '@lingui/react/macro';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { useDownload } from '#kit/browser/data/download.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import type { Selection } from '#kit/contract/list-view.ts';
import { staffIdCardApi } from '../contract/id-card.ts';

interface Props {
  selection: Selection;
  /** For one person alone. */
  isOne?: boolean;
}

/** Downloads the ID cards of the selected staff, eight to a page. */
export function IdCardsButton({ selection, isOne }: Props) {
  const { t } = useLingui();
  const download = useDownload();
  const { attempt, isBusy, problem } = useAttempt();
  const fileName = t`staff-id-cards.pdf`;
  return (
    <>
      <Button isBusy={isBusy} onClick={() => attempt(() => download(staffIdCardApi.print, selection, fileName))}>
        {isOne ? <Trans>ID card</Trans> : <Trans>ID cards</Trans>}
      </Button>
      {problem}
    </>
  );
}
