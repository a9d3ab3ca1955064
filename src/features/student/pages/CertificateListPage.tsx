import { Trans, useLingui } from '@lingui/react/macro';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { useDownload } from '#kit/browser/data/download.tsx';
import { RecordList, type RowOf } from '#kit/browser/list/RecordList.tsx';
import { RowMenu } from '#kit/browser/list/RowMenu.tsx';
import { translate, translateOption } from '#kit/browser/text.ts';
import { Menu } from '#kit/browser/ui/Menu.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { Status } from '#kit/browser/ui/Status.tsx';
import { certificateApi, certificateTitles } from '../contract/certificate.ts';
import { type CertificateState, certificateList } from '../contract/certificate-list.ts';

const stateKinds: Record<CertificateState, 'good' | 'bad' | 'warn'> = {
  Issued: 'warn',
  'Handed out': 'good',
  Void: 'bad',
};

type Row = RowOf<typeof certificateList>;

/** /school-erp/student/certificate-list: every certificate of the school. A row opens the record that it is of. */
export function CertificateListPage() {
  const { t } = useLingui();
  return (
    <>
      <PageHead title={t`Certificates`} />
      <RecordList
        list={certificateList}
        open={({ studentId }) => ({
          to: '/school-erp/student/student-list/$studentID',
          params: { studentID: String(studentId) },
          search: { part: 'papers' },
        })}
        cells={{
          kind: ({ kind }) => translate(certificateTitles[kind as keyof typeof certificateTitles]),
          state: ({ state }) => (
            <Status kind={stateKinds[state as CertificateState]}>{translateOption(state ?? '')}</Status>
          ),
        }}
        actions={(row) => <Files row={row} />}
        empty={{ message: <Trans>No certificate was issued yet. Issue one from a student’s record.</Trans> }}
      />
    </>
  );
}

/** The PDF of a certificate, and of all that were issued with it. */
function Files({ row }: { row: Row }) {
  const download = useDownload();
  const { attempt, problem } = useAttempt();
  const { id, number, studentId, runId } = row;
  return (
    <>
      <RowMenu name={number ?? ''}>
        {() => (
          <>
            <Menu.Item
              onClick={() =>
                void attempt(() =>
                  download(
                    certificateApi.file,
                    { id: studentId, certificate: id, copyNo: '' },
                    `${(number ?? '').replaceAll('/', '-')}.pdf`,
                  ),
                )
              }
            >
              <Trans>Download PDF</Trans>
            </Menu.Item>
            {runId !== null && (
              <Menu.Item
                onClick={() =>
                  void attempt(() => download(certificateApi.runFile, { run: runId }, `certificates-${runId}.pdf`))
                }
              >
                <Trans>Download all of this run</Trans>
              </Menu.Item>
            )}
          </>
        )}
      </RowMenu>
      {problem}
    </>
  );
}
