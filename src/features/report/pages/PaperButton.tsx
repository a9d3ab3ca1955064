import { Trans, useLingui } from '@lingui/react/macro';
import { useId, useState } from 'react';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { useDownload } from '#kit/browser/data/download.tsx';
import { Row, Rows } from '#kit/browser/form/choices.tsx';
import { translate } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { DialogButtons } from '#kit/browser/ui/Dialog.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import type { ReportApi, ReportCard } from '../contract/report.ts';

interface Props {
  endpoint: ReportApi['paper'];
  id: number;
  cards: readonly ReportCard[];
  period: { from: string; to: string };
}

/** Downloads chosen cards as a PDF; a restricted card is not chosen at first, and needs a reason. */
export function PaperButton({ endpoint, id, cards, period }: Props) {
  const { t } = useLingui();
  const [isOpen, setOpen] = useState(false);
  const [chosen, setChosen] = useState<readonly string[]>(() =>
    cards.filter(({ isRestricted }) => !isRestricted).map(({ key }) => key),
  );
  const [reason, setReason] = useState('');
  const download = useDownload();
  const { attempt, isBusy, problem } = useAttempt();
  const control = useId();
  const needsReason = cards.some(({ key, isRestricted }) => isRestricted && chosen.includes(key));
  const fileName = t`report.pdf`;
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Trans>PDF…</Trans>
      </Button>
      {isOpen && (
        <SideDialog title={t`Report as a PDF`} onClose={() => setOpen(false)}>
          {(close) => (
            <>
              <Rows>
                {cards.map(({ key, title, isRestricted }) => (
                  <Row
                    key={key}
                    type="checkbox"
                    id={`${control}-${key}`}
                    label={translate(title)}
                    hint={isRestricted ? t`Needs a reason` : undefined}
                    checked={chosen.includes(key)}
                    onChange={(isOn) => setChosen(isOn ? [...chosen, key] : chosen.filter((other) => other !== key))}
                  />
                ))}
              </Rows>
              {needsReason && (
                <p>
                  <label htmlFor={`${control}-reason`}>
                    <Trans>Reason</Trans>
                  </label>
                  <textarea
                    id={`${control}-reason`}
                    maxLength={300}
                    value={reason}
                    onChange={(event) => setReason(event.currentTarget.value)}
                  />
                  <span className="soft">
                    <Trans>The audit log keeps it.</Trans>
                  </span>
                </p>
              )}
              {problem}
              <DialogButtons>
                <Button onClick={close}>
                  <Trans>Close</Trans>
                </Button>
                <Button
                  kind="main"
                  isBusy={isBusy}
                  aria-disabled={chosen.length === 0}
                  onClick={() =>
                    chosen.length > 0 &&
                    attempt(async () => {
                      const input = { id, ...period, cards: [...chosen], reason: needsReason ? reason : '' };
                      await download(endpoint, input, fileName);
                      close();
                    })
                  }
                >
                  <Trans>Download</Trans>
                </Button>
              </DialogButtons>
            </>
          )}
        </SideDialog>
      )}
    </>
  );
}
