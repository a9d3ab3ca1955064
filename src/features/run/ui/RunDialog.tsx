import { plural } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, useEffect, useRef } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { useDownload } from '#kit/browser/data/download.tsx';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { readAllAgain, useReadWhile } from '#kit/browser/data/read.ts';
import { translate, translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { takeLostFocus } from '#kit/browser/ui/focus.ts';
import { Box, List, Row } from '#kit/browser/ui/Layout.tsx';
import { ProgressBar } from '#kit/browser/ui/ProgressBar.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { VisuallyHidden } from '#kit/browser/ui/VisuallyHidden.tsx';
import type { RunProgress } from '#kit/contract/run.ts';
import { showNumber } from '#kit/contract/text.ts';
import { runApi } from '../contract.ts';

interface Props {
  id: number;
  title: string;
  onClose: () => void;
  /** It takes the whole window, as the dialog before it did. */
  isWhole?: boolean;
  /** What follows, and where it is found later. */
  next?: ReactNode;
  /** Further buttons once it has finished. */
  further?: (run: RunProgress) => ReactNode;
}

/** How far a run is, and which records were skipped or failed. Closing it does not stop the run. */
export function RunDialog({ id, title, onClose, isWhole, next, further }: Props) {
  const run = useReadWhile(runApi.read, { id: String(id) }, ({ isFinished }) => !isFinished);
  const isFinished = run.data?.isFinished ?? false;
  useEffect(() => {
    // What the run has changed is known only now.
    if (isFinished) void readAllAgain();
  }, [isFinished]);
  return (
    <SideDialog title={title} isWhole={isWhole} onClose={onClose}>
      {(close) => (
        <QueryBoundary query={run}>
          {(found) => <Progress run={found} close={close} next={next} further={further} />}
        </QueryBoundary>
      )}
    </SideDialog>
  );
}

/** The next whole ten seconds: a screen reader is told these alone. */
const tens = (seconds: number) => Math.ceil(seconds / 10) * 10;

/** The moment in which a run can be undone. */
function Waiting({ run: { id, secondsLeft } }: { run: RunProgress }) {
  const cancel = useAction(runApi.cancel);
  return (
    <>
      <p aria-hidden>
        <Plural
          value={secondsLeft}
          one="Sending begins in # second. Until then you can undo it."
          other="Sending begins in # seconds. Until then you can undo it."
        />
      </p>
      <p>
        <Button kind="main" isBusy={cancel.isBusy} onClick={() => void cancel.run({ id })}>
          <Trans>Undo</Trans>
        </Button>
      </p>
      {cancel.problem}
    </>
  );
}

function Progress({
  run,
  close,
  next,
  further,
}: { run: RunProgress; close: () => void } & Pick<Props, 'next' | 'further'>) {
  const { t } = useLingui();
  const download = useDownload();
  const { attempt, problem } = useAttempt();
  const { id, isFinished, secondsLeft, notDone } = run;
  const closing = useRef<HTMLButtonElement>(null);
  const isWaiting = secondsLeft > 0;
  const spoken = tens(secondsLeft);
  useEffect(() => {
    if (!isWaiting) return undefined;
    // The button that has the focus goes when the moment is over.
    return () => takeLostFocus(closing.current);
  }, [isWaiting]);
  const unlisted = run.skipped + run.failed - notDone.length;
  const sum = run.done + run.skipped + run.failed;
  const [ended, total, done, skipped, failed] = [sum, run.total, run.done, run.skipped, run.failed].map(showNumber);
  return (
    <>
      <ProgressBar value={sum} max={run.total} aria-label={t`Progress`} />
      {isWaiting && <Waiting run={run} />}
      <p role="status">
        {isWaiting ? (
          <VisuallyHidden>
            {t`${plural(run.total, { one: '# record', other: '# records' })}. Sending begins in ${spoken} seconds. Until then you can undo it.`}
          </VisuallyHidden>
        ) : isFinished ? (
          <Trans>
            Finished: {done} done, {skipped} skipped, {failed} failed.
          </Trans>
        ) : (
          <Trans>
            {ended} of {total}. You can close this; the work continues.
          </Trans>
        )}
      </p>
      {next && <p className="soft">{next}</p>}
      {notDone.length > 0 && (
        <List mt={12} mb={12}>
          {notDone.map(({ id: subject, name, result, reason }) => (
            <Box as="li" py={8} line="above" key={subject}>
              <b>{name}</b> {translateOption(result)}. <span className="soft">{translate(reason)}</span>
            </Box>
          ))}
          {unlisted > 0 && (
            <Box as="li" py={8} line="above" className="soft">
              <Plural value={unlisted} one="And # more" other="And # more" />
            </Box>
          )}
        </List>
      )}
      {problem}
      <Row gap={8} wrap mt={16}>
        {isFinished && further?.(run)}
        {isFinished && (
          <Button onClick={() => void attempt(() => download(runApi.result, { id: String(id) }, `run-${id}.csv`))}>
            <Trans>Download the result</Trans>
          </Button>
        )}
        <Button ref={closing} onClick={close}>
          <Trans>Close</Trans>
        </Button>
      </Row>
    </>
  );
}
