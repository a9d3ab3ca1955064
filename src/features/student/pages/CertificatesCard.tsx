import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
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
import { useToast } from '#kit/browser/ui/toast.tsx';
import { showDate } from '#kit/contract/day.ts';
import { type Certificate, certificateApi } from '../contract/certificate.ts';
import type { StudentHead } from '../contract/record.ts';

type Dialog = { kind: 'bonafide' } | { kind: 'override' } | { kind: 'handOut' | 'copy' | 'void'; of: Certificate };

/** The certificates of a student: made, opened as PDF, handed out, duplicated and voided. */
export function CertificatesCard({ head: { id, name } }: { head: StudentHead }) {
  const { t } = useLingui();
  const [dialog, setDialog] = useState<Dialog>();
  const certificates = useRead(certificateApi.certificates, { id });
  const make = useAction(certificateApi.make);
  const toast = useToast();
  const list = useRef<HTMLDivElement>(null);
  const [made, setMade] = useState<string>();
  // The pressed button goes once the certificate is listed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list is read again after the act.
  useEffect(() => {
    if (made) takeLostFocus(list.current?.querySelector<HTMLElement>(`[aria-label$="${made}"]`) ?? null);
  }, [made, certificates.data]);
  const makeLeaving = async () => {
    const made = await make.run({ id, kind: 'Leaving', purpose: '', overrideReason: '' });
    if (!made) return;
    setMade(made.number);
    toast({ kind: 'success', title: t`Certificate ${made.number} created.` });
  };
  const close = () => setDialog(undefined);
  return (
    <RecordCard isWide title={<Trans>Certificates</Trans>}>
      <QueryBoundary query={certificates}>
        {({ certificates: all, owes, may }) => (
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
                      one.kind === 'Leaving' ? t`Leaving certificate` : t`Bonafide certificate`,
                      showDate(one.issuedOn),
                      <State key="state" certificate={one} />,
                    ],
                    actions: <Acts studentId={id} certificate={one} open={setDialog} />,
                  }))}
                />
              </div>
            )}
            {owes.length > 0 && (
              <p>
                <Trans>Still owed:</Trans> {owes.map(translate).join(', ')}
              </p>
            )}
            {make.problem}
            <CardButtons>
              {may.makeLeaving &&
                (owes.length > 0 ? (
                  may.override && (
                    <Button onClick={() => setDialog({ kind: 'override' })}>
                      <Trans>Leaving certificate…</Trans>
                    </Button>
                  )
                ) : (
                  <Button isBusy={make.isBusy} onClick={() => void makeLeaving()}>
                    <Trans>Make the leaving certificate</Trans>
                  </Button>
                ))}
              {may.makeBonafide && (
                <Button onClick={() => setDialog({ kind: 'bonafide' })}>
                  <Trans>Bonafide certificate…</Trans>
                </Button>
              )}
            </CardButtons>
            {dialog && <CertificateForm studentId={id} name={name} dialog={dialog} onClose={close} />}
          </>
        )}
      </QueryBoundary>
    </RecordCard>
  );
}

function State({
  certificate: { isVoid, voidReason, handedOutOn, handedTo, copies, purpose },
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
          <Trans>Made</Trans>
        </Chip>
      )}
      <span className="soft">
        {' '}
        {isVoid ? (
          voidReason
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
  name: string;
  dialog: Dialog;
  onClose: () => void;
}

function CertificateForm({ studentId: id, name, dialog, onClose }: FormProps) {
  const { t } = useLingui();
  if (dialog.kind === 'bonafide')
    return (
      <RecordForm
        title={t`Bonafide certificate of ${name}`}
        endpoint={certificateApi.make}
        initial={{ purpose: '' }}
        hiddenValues={{ id, kind: 'Bonafide', overrideReason: '' }}
        words={<Trans>Make</Trans>}
        saved={t`Certificate created.`}
        onClose={onClose}
      >
        <TextField name="purpose" hint={<Trans>For example a passport or a bank account.</Trans>} />
      </RecordForm>
    );
  if (dialog.kind === 'override')
    return (
      <RecordForm
        title={t`Leaving certificate of ${name}`}
        about={t`The reason is recorded and not printed.`}
        endpoint={certificateApi.make}
        initial={{ overrideReason: '' }}
        hiddenValues={{ id, kind: 'Leaving', purpose: '' }}
        words={<Trans>Make</Trans>}
        saved={t`Certificate created.`}
        onClose={onClose}
      >
        <TextField name="overrideReason" />
      </RecordForm>
    );
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
      about={t`This can’t be undone. The number isn’t used again.`}
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
