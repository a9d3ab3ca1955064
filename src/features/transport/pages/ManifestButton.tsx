import { Trans, useLingui } from '@lingui/react/macro';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { useDownload } from '#kit/browser/data/download.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import type { Direction } from '../contract/masters.ts';
import { riderApi } from '../contract/rider.ts';

/** Downloads the riders of a trip on a day, in the order of its stops. */
export function ManifestButton({ tripId, slot, day }: { tripId: number; slot: string; day: string }) {
  const { t } = useLingui();
  const download = useDownload();
  const { attempt, isBusy, problem } = useAttempt();
  return (
    <>
      <Button
        kind="quiet"
        aria-label={t`Riders of ${slot} as PDF`}
        isBusy={isBusy}
        onClick={() => attempt(() => download(riderApi.manifest, { id: tripId, day }, `${slot} ${day}.pdf`))}
      >
        <Trans>Riders (PDF)</Trans>
      </Button>
      {problem}
    </>
  );
}

/** Downloads the riders of all trips of a direction as one file, a trip a page. */
export function AllManifestsButton({ day, direction }: { day: string; direction: Direction }) {
  const download = useDownload();
  const { attempt, isBusy, problem } = useAttempt();
  return (
    <>
      <Button
        isBusy={isBusy}
        onClick={() => attempt(() => download(riderApi.allManifests, { day, direction }, `${direction} ${day}.pdf`))}
      >
        <Trans>Print all riders</Trans>
      </Button>
      {problem}
    </>
  );
}
