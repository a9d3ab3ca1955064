import { Trans } from '@lingui/react/macro';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { useDownload } from '#kit/browser/data/download.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import type { Selection } from '#kit/contract/list-view.ts';
import { letterApi } from '../../contract/letter.ts';

/** The letters of the selected applications in one PDF. */
export function PrintLetters({ selection }: { selection: Selection }) {
  const download = useDownload();
  const { attempt, problem, isBusy } = useAttempt();
  return (
    <>
      <Button
        isBusy={isBusy}
        onClick={() => void attempt(() => download(letterApi.printMany, selection, 'admission-letters.pdf'))}
      >
        <Trans>Letters (PDF)</Trans>
      </Button>
      {problem}
    </>
  );
}
