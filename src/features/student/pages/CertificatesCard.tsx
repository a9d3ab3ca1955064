import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { useDownload } from '#kit/browser/data/download.tsx';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { DateField } from '#kit/browser/form/DateField.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { ListRows } from '#kit/browser/list/ListTable.tsx';
import { RowMenu } from '#kit/browser/list/RowMenu.tsx';
import { CardButtons, RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { translate } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Chip } from '#kit/browser/ui/Chip.tsx';
import { takeLostFocus } from '#kit/browser/ui/focus.ts';
import { Menu } from '#kit/browser/ui/Menu.tsx';
import { today } from '#kit/browser/ui/show.ts';
import { showDate } from '#kit/contract/day.ts';
import { type Certificate, type CertificateWord, certificateApi } from '../contract/certificate.ts';
import { certificateTitles } from '../contract/certificate-titles.ts';
import type { StudentHead } from '../contract/record.ts';
import { IssueCertificate } from './IssueCertificate.tsx';

type Dialog = { kind: 'issue'; of?: CertificateWord } | { kind: 'handOut' | 'copy' | 'void'; of: Certificate };

/** The certificates of a student: issued, opened as PDF, handed out, duplicated and voided. */
export function CertificatesCard({ head: { id, name } }: { head: StudentHead }) {
  const { t } = useLingui();
  const [dialog, setDialog] = useState<Dialog>();
  const certificates = useRead(certificateApi.certificates, { id });
  const list = useRef<HTMLDivElement>(null);
  const [made, setMade] = useState<string>();
  // The pressed button may go once the certificate is listed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list is read again after the act.
  useEffect(() => {
    if (made) takeLostFocus(list.current?.querySelector<HTMLElement>(`[aria-label$="${made}"]`) ?? null);
  }, [made, certificates.data]);
  const close = () => setDialog(undefined);
  return (
    <RecordCard isWide isEmpty={certificates.data?.certificates.length === 0} title={<Trans>Certificates</Trans>}>
      <QueryBoundary query={certificates}>
        {({ certificates: all, kinds }) => (
          <>
            {all.length === 0 ? (
              <p>
                <Trans>No certificates yet.</Trans>
              </p>
            ) : (
              <div ref={list}>
                <ListRows
                  caption={t`Certificates`}
                  heads={[t`Number`, t`Certificate`, t`Issued on`, t`State`]}
                  rows={all.map((one) => ({
                    key: one.id,
                    cells: [
                      one.number,
                      one.language === 'English'
                        ? translate(certificateTitles[one.kind])
                        : t`${translate(certificateTitles[one.kind])}, ${translate({ id: one.language })}`,
                      showDate(one.issuedOn),
                      <State key="state" certificate={one} />,
                    ],
                    actions: <Acts studentId={id} certificate={one} open={setDialog} />,
                  }))}
                />
              </div>
            )}
            {kinds.length > 0 && (
              <CardButtons>
                {kinds.some(({ kind, why }) => kind === 'Leaving' && why === null) && (
                  <Button onClick={() => setDialog({ kind: 'issue', of: 'Leaving' })}>
                    <Trans>Leaving certificate…</Trans>
                  </Button>
                )}
                <Button onClick={() => setDialog({ kind: 'issue' })}>
                  <Trans>Certificate…</Trans>
                </Button>
              </CardButtons>
            )}
            {dialog?.kind === 'issue' && (
              <IssueCertificate id={id} name={name} kind={dialog.of} onIssued={setMade} onClose={close} />
            )}
            {dialog && dialog.kind !== 'issue' && <CertificateForm studentId={id} dialog={dialog} onClose={close} />}
          </>
        )}
      </QueryBoundary>
    </RecordCard>
  );
}

function State({
  certificate: { isVoid, voidReason, replacedBy, handedOutOn, handedTo, copies, purpose },
}: {
  certificate: Certificate;
}) {
  const day = handedOutOn && showDate(handedOutOn);
  return (
    <>
      {isVoid ? (
        <Chip kind="bad">
          <Trans>Void</Trans>
        </Chip>
      ) : day ? (
        <Chip kind="good">
          <Trans>Handed out</Trans>
        </Chip>
      ) : (
        <Chip>
          <Trans>Issued</Trans>
        </Chip>
      )}
      <span className="soft">
        {' '}
        {isVoid ? (
          <>
            {voidReason}
            {replacedBy && (
              <>
                {' · '}
                <Trans>Replaced by {replacedBy}</Trans>
              </>
            )}
          </>
        ) : day ? (
          <Trans>
            {day} to {handedTo}
          </Trans>
        ) : (
          purpose
        )}
        {copies > 0 && (
          <>
            {' · '}
            <Trans>Duplicates: {copies}</Trans>
          </>
        )}
      </span>
    </>
  );
}

interface ActsProps {
  studentId: number;
  certificate: Certificate;
  open: (dialog: Dialog) => void;
}

/** The PDF, and what may be done with the certificate. */
function Acts({ studentId, certificate, open }: ActsProps) {
  const download = useDownload();
  const { attempt, problem } = useAttempt();
  const { id, number, may, copies } = certificate;
  const take = (copyNo: number | '') =>
    void attempt(() =>
      download(certificateApi.file, { id: studentId, certificate: id, copyNo }, `${number.replaceAll('/', '-')}.pdf`),
    );
  return (
    <>
      <RowMenu name={number}>
        {(from) => (
          <>
            <Menu.Item onClick={() => take('')}>
              <Trans>Download PDF</Trans>
            </Menu.Item>
            {copies > 0 && (
              <Menu.Item onClick={() => take(copies)}>
                <Trans>Download PDF of duplicate {copies}</Trans>
              </Menu.Item>
            )}
            {may.handOut && (
              <Menu.Item onClick={from(() => open({ kind: 'handOut', of: certificate }))}>
                <Trans>Hand out…</Trans>
              </Menu.Item>
            )}
            {may.copy && (
              <Menu.Item onClick={from(() => open({ kind: 'copy', of: certificate }))}>
                <Trans>Issue a duplicate…</Trans>
              </Menu.Item>
            )}
            {may.void && (
              <Menu.Item onClick={from(() => open({ kind: 'void', of: certificate }))}>
                <Trans>Void…</Trans>
              </Menu.Item>
            )}
          </>
        )}
      </RowMenu>
      {problem}
    </>
  );
}

interface FormProps {
  studentId: number;
  dialog: Exclude<Dialog, { kind: 'issue' }>;
  onClose: () => void;
}

function CertificateForm({ studentId: id, dialog, onClose }: FormProps) {
  const { t } = useLingui();
  const { id: certificate, number } = dialog.of;
  const hiddenValues = { id, certificate };
  if (dialog.kind === 'handOut')
    return (
      <RecordForm
        title={t`Hand out ${number}`}
        about={t`The leaving can’t be undone afterwards.`}
        endpoint={certificateApi.handOut}
        initial={{ handedTo: '', handedOutOn: today() }}
        hiddenValues={hiddenValues}
        words={<Trans>Hand out</Trans>}
        onClose={onClose}
      >
        <TextField name="handedTo" />
        <DateField name="handedOutOn" />
      </RecordForm>
    );
  if (dialog.kind === 'copy')
    return (
      <RecordForm
        title={t`Duplicate of ${number}`}
        about={t`It is marked as a duplicate, with its count.`}
        endpoint={certificateApi.copy}
        initial={{ reason: '' }}
        hiddenValues={hiddenValues}
        words={<Trans>Issue</Trans>}
        saved={t`The duplicate was issued.`}
        onClose={onClose}
      >
        <TextField name="reason" />
      </RecordForm>
    );
  return (
    <RecordForm
      title={t`Void ${number}`}
      about={
        dialog.of.handedOutOn
          ? t`Do this once the family has returned it. The number isn’t used again.`
          : t`Only while the paper is at the school: if the family has it, enter “Hand out” first. The number isn’t used again.`
      }
      endpoint={certificateApi.void}
      initial={{ reason: '' }}
      hiddenValues={hiddenValues}
      words={<Trans>Void</Trans>}
      saved={t`The certificate is void.`}
      onClose={onClose}
    >
      <TextField name="reason" />
    </RecordForm>
  );
}
