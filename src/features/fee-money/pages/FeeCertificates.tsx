import { Trans, useLingui } from '@lingui/react/macro';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { useAction } from '#kit/browser/data/action.ts';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { useDownload } from '#kit/browser/data/download.tsx';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { AmountTable } from '#kit/browser/ui/AmountTable.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { showMoney } from '#kit/contract/money.ts';
import { feeCertificateApi } from '../contract/fee-certificate.ts';

/** What was paid in each financial year, with its certificates. */
export function FeeCertificates({ studentId }: { studentId: number }) {
  const { t } = useLingui();
  const found = useRead(feeCertificateApi.list, { id: studentId });
  const making = useAction(feeCertificateApi.make);
  const mayMake = useMay(feeCertificateApi.make);
  const download = useDownload();
  const { attempt, problem } = useAttempt();
  const save = (id: number, certificateNo: string) =>
    void attempt(() => download(feeCertificateApi.file, { id }, `${certificateNo.replaceAll('/', '-')}.pdf`));
  const make = async (startsIn: number, seriesId: number) => {
    const made = await making.run({ id: studentId, startsIn, seriesId });
    if (made) save(made.id, made.certificateNo);
  };
  return (
    <RecordCard title={t`Certificates of fees paid`} isWide>
      {problem ?? making.problem}
      <QueryBoundary query={found}>
        {({ years }) =>
          years.length === 0 ? (
            <EmptyState message={<Trans>No tuition fee is paid yet.</Trans>} />
          ) : (
            <AmountTable
              caption={<Trans>Tuition fees paid by financial year, April to March</Trans>}
              heads={[t`Financial year`, t`Receipt series`, t`Paid`, t`Certificates`]}
              amounts={[t`Paid`]}
              rows={years.map(({ year, startsIn, seriesId, series, amount, isCertified, issued }) => ({
                key: `${year} ${seriesId}`,
                cells: [
                  year,
                  series,
                  showMoney(amount),
                  <>
                    {issued.map(({ id, certificateNo, isDuplicate }) => (
                      <Button key={id} kind="quiet" onClick={() => save(id, certificateNo)}>
                        {isDuplicate ? t`${certificateNo}, duplicate` : certificateNo}
                      </Button>
                    ))}
                    {mayMake && (
                      <Button
                        kind="quiet"
                        aria-label={t`Make a certificate of ${year}, ${series}`}
                        onClick={() => void make(startsIn, seriesId)}
                      >
                        {isCertified ? <Trans>Duplicate</Trans> : <Trans>Make a certificate</Trans>}
                      </Button>
                    )}
                  </>,
                ],
              }))}
            />
          )
        }
      </QueryBoundary>
    </RecordCard>
  );
}
