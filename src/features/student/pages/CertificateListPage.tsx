import { Trans, useLingui } from '@lingui/react/macro';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { useDownload } from '#kit/browser/data/download.tsx';
import { RecordList } from '#kit/browser/list/RecordList.tsx';
import { translate, translateOption } from '#kit/browser/text.ts';
import { Menu } from '#kit/browser/ui/Menu.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { Status } from '#kit/browser/ui/Status.tsx';
import { certificateApi } from '../contract/certificate.ts';
import { type CertificateState, certificateList } from '../contract/certificate-list.ts';
import { certificateTitles } from '../contract/certificate-titles.ts';

const stateKinds: Record<CertificateState, 'good' | 'bad' | 'warn'> = {
  Issued: 'warn',
  'Handed out': 'good',
  Void: 'bad',
};

/** /school-erp/student/certificate-list: every certificate of the school. A row opens the record that it is of. */
export function CertificateListPage() {
  const { t } = useLingui();
  const download = useDownload();
  const { attempt, problem } = useAttempt();
  return (
    <>
      <PageHead title={t`Certificates`} />
      {problem}
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
        actions={({ id, number, studentId, runId }) => (
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
        empty={{ message: <Trans>No certificate was issued yet. Issue one from a student’s record.</Trans> }}
      />
    </>
  );
}
