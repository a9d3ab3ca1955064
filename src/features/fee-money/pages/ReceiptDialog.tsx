import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { useDownload } from '#kit/browser/data/download.tsx';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { readChoice } from '#kit/browser/ui/device-choice.ts';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { paymentApi } from '../contract/payment.ts';
import type { ReceiptPaper } from '../contract/receipt.ts';
import { PrintReceipts, Receipt } from './PrintReceipts.tsx';

interface Props {
  /** Without its payment it is read, and not printed again. */
  receipt: { id: number; paymentId?: number; receiptNo: string };
  mayPrint: boolean;
  onClose: () => void;
}

/** A receipt as it was printed. Accountants print it again, as a duplicate. */
export function ReceiptDialog({ receipt, mayPrint, onClose }: Props) {
  const { t } = useLingui();
  const found = useRead(paymentApi.receipt, { id: receipt.id });
  const download = useDownload();
  const saving = useAttempt();
  const print = useAction(paymentApi.print);
  const [papers, setPapers] = useState<readonly ReceiptPaper[]>([]);
  return (
    <SideDialog title={t`Receipt ${receipt.receiptNo}`} onClose={onClose}>
      {(close) => (
        <>
          <QueryBoundary query={found}>{({ paper }) => <Receipt paper={paper} whose="family" />}</QueryBoundary>
          {print.problem}
          {mayPrint && receipt.paymentId !== undefined && (
            <Button
              isBusy={print.isBusy}
              onClick={async () => {
                const answer = await print.run({ id: receipt.paymentId ?? 0 });
                if (answer) setPapers(answer.papers);
              }}
            >
              <Trans>Print again</Trans>
            </Button>
          )}
          <Button
            onClick={() =>
              void saving.attempt(() =>
                download(paymentApi.file, { id: receipt.id }, `${receipt.receiptNo.replaceAll('/', '-')}.pdf`),
              )
            }
          >
            <Trans>Download PDF</Trans>
          </Button>
          {saving.problem}
          <Button onClick={close}>
            <Trans>Close</Trans>
          </Button>
          {papers.length > 0 && (
            <PrintReceipts
              papers={papers}
              size={readChoice('receipt-paper') === '80 mm' ? '80 mm' : 'A4'}
              onDone={() => setPapers([])}
            />
          )}
        </>
      )}
    </SideDialog>
  );
}
