import { Trans, useLingui } from '@lingui/react/macro';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { certificateLanguages } from '#features/student/contract/certificate.ts';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { useDownload } from '#kit/browser/data/download.tsx';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { RadioField } from '#kit/browser/form/choices.tsx';
import { useApiForm } from '#kit/browser/form/form-context.ts';
import { FormOpener, RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { AmountTable } from '#kit/browser/ui/AmountTable.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { showMoney } from '#kit/contract/money.ts';
import { feeCertificateApi } from '../contract/fee-certificate.ts';

interface LanguageProps {
  inEnglishLetters: readonly string[];
}

/** The language of the certificate, and whether the register has the name in its letters. */
function Language({ inEnglishLetters }: LanguageProps) {
  const { values } = useApiForm();
  return (
    <>
      <RadioField name="language" options={certificateLanguages} />
      {inEnglishLetters.includes(String(values.language)) && (
        <Notice>
          <Trans>The register has this student’s name in English letters only: it is printed so.</Trans>
        </Notice>
      )}
    </>
  );
}

/** What was paid in each financial year, with its certificates. */
export function FeeCertificates({ studentId }: { studentId: number }) {
  const { t } = useLingui();
  const found = useRead(feeCertificateApi.list, { id: studentId });
  const mayMake = useMay(feeCertificateApi.make);
  const download = useDownload();
  const { attempt, problem } = useAttempt();
  const save = (id: number, certificateNo: string) =>
    void attempt(() => download(feeCertificateApi.file, { id }, `${certificateNo.replaceAll('/', '-')}.pdf`));
  return (
    <RecordCard title={t`Certificates of fees paid`} isWide>
      {problem}
      <QueryBoundary query={found}>
        {({ years, language, inEnglishLetters }) =>
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
                      <FormOpener
                        title={t`Make a certificate of ${year}, ${series}`}
                        label={isCertified ? <Trans>Duplicate</Trans> : <Trans>Make a certificate</Trans>}
                      >
                        {(onClose) => (
                          <RecordForm
                            title={t`Certificate of fees paid, ${year}`}
                            endpoint={feeCertificateApi.make}
                            initial={{ language }}
                            hiddenValues={{ id: studentId, startsIn, seriesId }}
                            words={<Trans>Make and download</Trans>}
                            saved={null}
                            onDone={(made) => save(made.id, made.certificateNo)}
                            onClose={onClose}
                          >
                            <Language inEnglishLetters={inEnglishLetters} />
                          </RecordForm>
                        )}
                      </FormOpener>
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
