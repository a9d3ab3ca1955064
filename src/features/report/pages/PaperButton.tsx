import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { useDownload } from '#kit/browser/data/download.tsx';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { ChoicesWithReason, useChoicesWithReason } from '#kit/browser/form/ChoicesWithReason.tsx';
import { translate } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { DialogButtons } from '#kit/browser/ui/Dialog.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import type { ReportApi, ReportCard } from '../contract/report.ts';
import { sectionReportApi } from '../contract/student.ts';

interface PaperProps {
  endpoint: ReportApi['paper'];
  id: number;
  cards: readonly ReportCard[];
  period: { from: string; to: string };
  onClose: () => void;
}

/** Downloads chosen cards as a PDF; a restricted card is not chosen at first, and needs a reason. */
export function Paper({ endpoint, id, cards, period, onClose }: PaperProps) {
  const { t } = useLingui();
  const download = useDownload();
  return (
    <SideDialog title={t`Report as a PDF`} onClose={onClose}>
      {(close) => (
        <ChosenCards
          cards={cards}
          close={close}
          onDownload={(chosen, reason) =>
            download(endpoint, { id, ...period, cards: [...chosen], reason }, t`report.pdf`)
          }
        />
      )}
    </SideDialog>
  );
}

/** Downloads chosen cards of all students of a section as one PDF. */
export function SectionPaperButton({ sectionId }: { sectionId: number }) {
  const { t } = useLingui();
  const cards = useRead(sectionReportApi.cards, {});
  const download = useDownload();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Trans>Reports of the section…</Trans>
      </Button>
      {isOpen && (
        <SideDialog title={t`Reports of the section`} onClose={() => setOpen(false)}>
          {(close) => (
            <QueryBoundary query={cards}>
              {(offered) => (
                <ChosenCards
                  cards={offered}
                  close={close}
                  onDownload={(chosen) =>
                    download(
                      sectionReportApi.paper,
                      { sectionId, from: '', to: '', cards: [...chosen] },
                      t`reports.pdf`,
                    )
                  }
                />
              )}
            </QueryBoundary>
          )}
        </SideDialog>
      )}
    </>
  );
}

interface ChosenCardsProps {
  cards: readonly ReportCard[];
  close: () => void;
  onDownload: (chosen: readonly string[], reason: string) => Promise<unknown>;
}

function ChosenCards({ cards, close, onDownload }: ChosenCardsProps) {
  const { attempt, isBusy, problem } = useAttempt();
  const choices = cards.map(({ key, title, isRestricted = false }) => ({
    key,
    label: translate(title),
    needsReason: isRestricted,
  }));
  const usual = choices.filter(({ needsReason }) => !needsReason).map(({ key }) => key);
  const of = useChoicesWithReason(choices, usual);
  return (
    <>
      <ChoicesWithReason of={of} />
      {problem}
      <DialogButtons>
        <Button onClick={close}>
          <Trans>Close</Trans>
        </Button>
        <Button
          kind="main"
          isBusy={isBusy}
          aria-disabled={of.chosen.length === 0}
          onClick={() =>
            of.chosen.length > 0 &&
            attempt(async () => {
              await onDownload(of.chosen, of.reason);
              close();
            })
          }
        >
          <Trans>Download</Trans>
        </Button>
      </DialogButtons>
    </>
  );
}
