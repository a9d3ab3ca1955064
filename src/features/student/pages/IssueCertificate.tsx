import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { useDownload } from '#kit/browser/data/download.tsx';
import { type Preview, usePreview } from '#kit/browser/data/preview.tsx';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { ChoiceRow, RadioField } from '#kit/browser/form/choices.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import { useApiForm } from '#kit/browser/form/form-context.ts';
import { FormButtons } from '#kit/browser/form/RecordForm.tsx';
import { translate } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { DialogButtons } from '#kit/browser/ui/Dialog.tsx';
import { Box, Grid, List, Panel, Row, Stack, Text } from '#kit/browser/ui/Layout.tsx';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { PageLink } from '#kit/browser/ui/PageLink.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import {
  type CertificatePage,
  type CertificateWord,
  certificateApi,
  certificateLanguages,
} from '../contract/certificate.ts';
import { certificateTitles } from '../contract/certificate-titles.ts';
import styles from './IssueCertificate.module.css';
import { TextLines } from './TextLines.tsx';

interface Props {
  id: number;
  name: string;
  /** The kind that was chosen already. */
  kind?: CertificateWord | undefined;
  onIssued?: (number: string) => void;
  onClose: () => void;
}

/** Issues a certificate: its kind, the page as it will be printed, and then the number. */
export function IssueCertificate({ id, name, kind, onIssued, onClose }: Props) {
  const { t } = useLingui();
  const known = useRead(certificateApi.certificates, { id });
  const preview = usePreview(certificateApi.make);
  const title = kind ? t`${translate(certificateTitles[kind])} of ${name}` : t`Certificate of ${name}`;
  return (
    <SideDialog title={title} isWhole={preview.shown !== undefined} onClose={onClose}>
      {(close) => (
        <QueryBoundary query={known}>
          {({ kinds, conduct, language }) => {
            const ready = kinds.filter(({ why }) => why === null).map((one) => one.kind);
            const missing = kinds.filter((one) => one.why !== null && (!kind || one.kind === kind));
            return (
              <>
                <div hidden={preview.shown !== undefined}>
                  {missing.map((one) => (
                    <Notice key={one.kind}>
                      {translate(certificateTitles[one.kind])}: {one.why && translate(one.why)}
                    </Notice>
                  ))}
                  {(!kind || ready.includes(kind)) && (
                    <ApiForm
                      endpoint={certificateApi.make}
                      label={title}
                      initial={{
                        kind: kind ?? ready.find((one) => one !== 'Leaving') ?? '',
                        language,
                        purpose: '',
                        conduct: conduct || 'Good',
                      }}
                      hiddenValues={{ id, overrideReason: '', englishLetters: false }}
                      onDone={(answer, input) => preview.take(input, answer)}
                      buttons={(isSending) => (
                        <FormButtons isSending={isSending} close={close} words={<Trans>Preview</Trans>} />
                      )}
                    >
                      {!kind && <RadioField name="kind" options={ready} />}
                      <CertificateDetails />
                    </ApiForm>
                  )}
                </div>
                {preview.shown && (
                  <Checked id={id} preview={preview} close={close} onIssued={(number) => onIssued?.(number)} />
                )}
              </>
            );
          }}
        </QueryBoundary>
      )}
    </SideDialog>
  );
}

/** What is typed for the chosen kind. */
export function CertificateDetails() {
  const { kind } = useApiForm().values;
  return (
    <>
      <RadioField name="language" options={certificateLanguages} />
      {kind === 'Character' && <TextField name="conduct" hint={<Trans>As it is printed.</Trans>} />}
      {kind !== 'Leaving' && (
        <TextField name="purpose" hint={<Trans>For example a passport or a bank account.</Trans>} />
      )}
    </>
  );
}

interface CheckedProps {
  id: number;
  preview: Preview<typeof certificateApi.make>;
  close: () => void;
  onIssued: (number: string) => void;
}

/** The page at the left, and at the right what to know before its number is drawn. */
function Checked({ id, preview, close, onIssued }: CheckedProps) {
  const { t } = useLingui();
  const toast = useToast();
  const download = useDownload();
  const { attempt, problem } = useAttempt();
  const [isGoing, setGoing] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const { shown } = preview;
  if (!shown) return null;
  const { page, number, empty, owes, blocks, needsReason, differs, inEnglishLetters, confirmToken } = shown.answer;
  const issue = async () => {
    if (isGoing) return;
    setGoing(true);
    const made = await preview.apply();
    setGoing(false);
    if (!made?.id) return;
    const issued = made.number;
    onIssued(issued);
    toast({ kind: 'success', title: t`Certificate ${issued} issued.` });
    await attempt(() =>
      download(
        certificateApi.file,
        { id, certificate: made.id ?? 0, copyNo: '' },
        `${issued.replaceAll('/', '-')}.pdf`,
      ),
    );
    close();
  };
  return (
    <div className={styles.checked}>
      <Sheet page={page} />
      <Stack gap={16} className={styles.beside}>
        <h3 ref={heading} tabIndex={-1}>
          <Trans>Before it is issued</Trans>
        </h3>
        {blocks.length > 0 ? (
          <Notice kind="bad" as="div">
            <TextLines lines={blocks} />
          </Notice>
        ) : (
          <p>
            <Trans>Number {number}, if issued now.</Trans>
          </p>
        )}
        {empty.length > 0 && (
          <section>
            <Text weight={600}>
              <Trans>Empty on the paper</Trans>
            </Text>
            <List>
              {empty.map(({ label, part }) => (
                <Row as="li" key={translate(label)} gap={8} justify="between" py={4}>
                  {translate(label)}
                  <PageLink
                    to="/school-erp/student/student-list/$studentID"
                    params={{ studentID: String(id) }}
                    search={{ part: partOf[part] ?? 'now' }}
                  >
                    <Trans>Enter…</Trans>
                  </PageLink>
                </Row>
              ))}
            </List>
          </section>
        )}
        {differs.length > 0 && (
          <Notice as="div">
            <TextLines lines={differs} />
          </Notice>
        )}
        {inEnglishLetters.length > 0 && (
          <section>
            <Text weight={600}>
              <Trans>Printed in English letters</Trans>
            </Text>
            <List>
              {inEnglishLetters.map((name) => (
                <Row as="li" key={translate(name)} gap={8} justify="between" py={4}>
                  {translate(name)}
                  <PageLink
                    to="/school-erp/student/student-list/$studentID"
                    params={{ studentID: String(id) }}
                    search={{ part: 'now' }}
                  >
                    <Trans>Enter…</Trans>
                  </PageLink>
                </Row>
              ))}
            </List>
            <ChoiceRow
              type="checkbox"
              id="englishLetters"
              label={t`Print them in English letters`}
              checked={shown.input.englishLetters === true}
              onChange={(ticked) => preview.take({ ...shown.input, englishLetters: ticked }, shown.answer)}
            />
          </section>
        )}
        {needsReason && (
          <Stack gap={4}>
            <p>
              <Trans>Still owed:</Trans> {owes.map(translate).join(', ')}
            </p>
            <label>
              <Trans>Reason to issue it before dues are paid</Trans>
              <textarea
                className="box"
                value={String(shown.input.overrideReason)}
                maxLength={300}
                rows={2}
                onChange={({ target }) => preview.take({ ...shown.input, overrideReason: target.value }, shown.answer)}
              />
            </label>
            <span className="soft">
              <Trans>It is recorded and not printed.</Trans>
            </span>
          </Stack>
        )}
        {preview.problem}
        {problem}
        <DialogButtons>
          <Button onClick={preview.close}>
            <Trans>Back</Trans>
          </Button>
          {confirmToken && (
            <Button kind="main" isBusy={isGoing} onClick={() => void issue()}>
              <Trans>Issue and save the PDF</Trans>
            </Button>
          )}
        </DialogButtons>
      </Stack>
    </div>
  );
}

const partOf: Record<string, string> = {
  personal: 'now',
  family: 'now',
  identity: 'papers',
  schooling: 'school',
};

/** The words of a certificate as they stand on its page. */
function Sheet({ page: { language, title, paragraphs, entries, closing } }: { page: CertificatePage }) {
  const { t } = useLingui();
  return (
    <Panel as="article" className={styles.sheet} aria-label={t`Preview of the page`}>
      <p className={styles.stamp}>
        <Trans>Preview</Trans>
      </p>
      <div lang={language}>
        <h3>{title}</h3>
        {paragraphs.map((words) => (
          <p key={words}>{words}</p>
        ))}
        <ol className={styles.entries}>
          {entries.map(({ label, value }) => (
            <Box as="li" line="below" py={4} key={label}>
              <Grid as="div" gap="2 12" className={styles.entry}>
                <span className="soft">{label}</span>
                <Text as="span" breaks="pre-line">
                  {value}
                </Text>
              </Grid>
            </Box>
          ))}
        </ol>
        {closing.map((words) => (
          <p key={words}>{words}</p>
        ))}
      </div>
    </Panel>
  );
}
