import { Trans, useLingui } from '@lingui/react/macro';
import { lazy, Suspense, useState } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { useDownload } from '#kit/browser/data/download.tsx';
import { DateField } from '#kit/browser/form/DateField.tsx';
import { FormOpener, RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { Facts } from '#kit/browser/record/Facts.tsx';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { translate, translateOption } from '#kit/browser/text.ts';
import { Button, ButtonAnchor } from '#kit/browser/ui/Button.tsx';
import { ConfirmButton } from '#kit/browser/ui/ConfirmButton.tsx';
import { Row, Text } from '#kit/browser/ui/Layout.tsx';
import { showMoment } from '#kit/browser/ui/show.ts';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { showDate } from '#kit/contract/day.ts';
import { type InquiryRecord, inquiryApi, isWhatsAppNumber, parents } from '../contract/inquiry.ts';
import styles from './InquiryPage.module.css';

const QrCode = lazy(async () => ({ default: (await import('#kit/browser/ui/QrCode.tsx')).QrCode }));

interface Props {
  record: InquiryRecord;
}

/** How far the form is, and the link that opens it. */
export function FormCard({ record }: Props) {
  const { t } = useLingui();
  const toast = useToast();
  const { id, link, progress, submittedAt, sent, state, may } = record;
  const copy = useAction(inquiryApi.copyLink);
  const revoke = useAction(inquiryApi.revokeLink);
  const download = useDownload();
  const print = useAttempt();
  const [shown, setShown] = useState<{ link: string; shortLink: string }>();
  const copyLink = async () => {
    const answer = await copy.run({ id });
    if (!answer) return;
    setShown(answer);
    await navigator.clipboard?.writeText(answer.link).then(
      () => toast({ kind: 'success', title: t`Link copied.` }),
      () => undefined,
    );
  };
  const isAlive = !link.isRevoked && !link.isExpired;
  const status = link.isRevoked
    ? t`Revoked`
    : link.isExpired
      ? t`Expired on ${showDate(link.expiresOn)}`
      : t`Works until ${showDate(link.expiresOn)}`;
  return (
    <RecordCard title={<Trans>Admission form</Trans>}>
      <Facts
        facts={[
          { label: t`Pages filled in`, value: t`${progress} of 5` },
          { label: t`Submitted on`, value: submittedAt && showMoment(submittedAt) },
          { label: t`Link`, value: state === 'New' ? t`Not sent yet` : status },
        ]}
      />
      <Row gap={8} align="center" wrap mt={12}>
        {may.sendForm && (
          <>
            <Button isBusy={copy.isBusy} onClick={() => void copyLink()}>
              <Trans>Copy link and show QR code</Trans>
            </Button>
            <WhatsApp record={record} />
            <Button
              isBusy={print.isBusy}
              onClick={() => print.attempt(() => download(inquiryApi.slip, { id }, t`form-slip.pdf`))}
            >
              <Trans>Print slip</Trans>
            </Button>
          </>
        )}
        {may.extendLink && !link.isRevoked && state !== 'New' && (
          <FormOpener kind="plain" title={t`Extend the link`} label={<Trans>Extend the link…</Trans>}>
            {(onClose) => (
              <RecordForm
                title={t`Extend the link`}
                endpoint={inquiryApi.extendLink}
                initial={{ expiresOn: '' }}
                hiddenValues={{ id }}
                words={<Trans>Extend</Trans>}
                onClose={onClose}
              >
                <DateField name="expiresOn" hint={t`The family’s link doesn’t change.`} />
              </RecordForm>
            )}
          </FormOpener>
        )}
        {may.sendForm && isAlive && state !== 'New' && (
          <ConfirmButton
            name={t`Revoke link`}
            label={<Trans>Revoke link…</Trans>}
            question={<Trans>The family can’t open the form until you send a new link.</Trans>}
            confirm={<Trans>Revoke</Trans>}
            onConfirm={() => void revoke.run({ id })}
          />
        )}
      </Row>
      {copy.problem}
      {print.problem}
      {revoke.problem}
      {shown && (
        <>
          <Text mt={12} breaks="anywhere" className={styles.link}>
            {shown.link}
          </Text>
          <p>
            <Trans>To type in: {shown.shortLink}</Trans>
          </p>
          <Suspense fallback={null}>
            <QrCode text={shown.shortLink} label={t`QR code of the form’s link`} />
          </Suspense>
        </>
      )}
      {sent.length > 0 && (
        <>
          <h3>
            <Trans>Messages to the family</Trans>
          </h3>
          <ul className={styles.contacts}>
            {sent.map((message) => (
              <li key={message.id}>
                {[
                  showMoment(message.at),
                  translate(message.about),
                  translateOption(message.channel),
                  translate(message.status),
                ].join(' · ')}
              </li>
            ))}
          </ul>
        </>
      )}
    </RecordCard>
  );
}

const focus = (link: HTMLAnchorElement | null) => link?.focus();

/** Writes the link to a parent by WhatsApp. An ordinary link opens it, which no browser blocks. */
function WhatsApp({ record: { id, values } }: { record: InquiryRecord }) {
  const { t } = useLingui();
  const open = useAction(inquiryApi.openWhatsApp);
  const [chat, setChat] = useState<{ parent: string; address: string }>();
  const mobiles = { Father: values.fatherMobile, Mother: values.motherMobile };
  const labels = { Father: t`WhatsApp to the father`, Mother: t`WhatsApp to the mother` };
  const opening = { Father: t`Open WhatsApp (father)`, Mother: t`Open WhatsApp (mother)` };
  return (
    <>
      {parents
        .filter((parent) => isWhatsAppNumber(mobiles[parent]))
        .map((parent) =>
          chat?.parent === parent ? (
            <ButtonAnchor
              key={parent}
              kind="main"
              ref={focus}
              href={chat.address}
              target="_blank"
              rel="noopener noreferrer"
            >
              {opening[parent]}
            </ButtonAnchor>
          ) : (
            <Button
              key={parent}
              isBusy={open.isBusy}
              onClick={async () => {
                const answer = await open.run({ id, parent });
                if (answer) setChat({ parent, ...answer });
              }}
            >
              {labels[parent]}
            </Button>
          ),
        )}
      {open.problem}
    </>
  );
}
