import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useId, useState } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { type Choice, Combobox } from '#kit/browser/ui/Combobox.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { Row } from '#kit/browser/ui/Layout.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { languages } from '#kit/contract/languages.ts';
import { announcementApi } from '../contract/announcement.ts';
import styles from './AsFamily.module.css';

/** The messages of an announcement as a family gets them, in each language; read once they are asked for. */
export function AsFamily({ id }: { id: number }) {
  const [isShown, setShown] = useState(false);
  const toggle = (
    <Button kind="quiet" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
      {isShown ? <Trans>Hide</Trans> : <Trans>Show</Trans>}
    </Button>
  );
  return (
    <RecordCard isWide title={<Trans>As a family gets it</Trans>} actions={toggle}>
      {isShown && <Messages id={id} />}
    </RecordCard>
  );
}

function Messages({ id }: { id: number }) {
  const { t } = useLingui();
  const field = useId();
  const [chosen, setChosen] = useState<Choice>();
  const guardianId = chosen ? Number(chosen.value) : null;
  const preview = useRead(announcementApi.preview, {
    id: String(id),
    ...(guardianId && { guardianId: String(guardianId) }),
  });
  return (
    <>
      <p>
        <label htmlFor={field}>{t`Guardian`}</label>
        <Combobox
          id={field}
          options={announcementApi.guardians}
          given={{ announcementId: id }}
          placeholder={t`The first of them`}
          chosen={chosen}
          onChoose={setChosen}
        />
      </p>
      <QueryBoundary query={preview}>
        {(found) =>
          found.length === 0 ? (
            <EmptyState message={<Trans>It is for no family.</Trans>} />
          ) : (
            found.map((each) => <InLanguage key={each.language} id={id} guardianId={guardianId} message={each} />)
          )
        }
      </QueryBoundary>
    </>
  );
}

interface Props {
  id: number;
  guardianId: number | null;
  message: OutputOf<typeof announcementApi.preview>[number];
}

function InLanguage({ id, guardianId, message }: Props) {
  const { t } = useLingui();
  const toast = useToast();
  const test = useAction(announcementApi.test);
  const { language, subject, email, sms, parts, isSmsEnglish } = message;
  const { name } = languages[language];
  const send = async () => {
    const sent = await test.run({ id, guardianId, language });
    if (sent) toast({ kind: 'success', title: t`A test was sent to ${sent.to}.` });
  };
  return (
    <section>
      <Row gap={12} align="center" wrap>
        <h3 lang={language}>{name}</h3>
        <Button kind="quiet" isBusy={test.isBusy} aria-label={t`Send me a test in ${name}`} onClick={() => void send()}>
          <Trans>Send me a test</Trans>
        </Button>
      </Row>
      {test.problem}
      <p className="soft">
        <Trans>Text message</Trans>, <Plural value={parts} one="# part" other="# parts" />
        {isSmsEnglish && (
          <>
            , <Trans>in English, since no text is registered in this language</Trans>
          </>
        )}
      </p>
      <p className={styles.message}>{sms}</p>
      <p className="soft">
        <Trans>Email: {subject}</Trans>
      </p>
      <p className={styles.message} lang={language}>
        {email}
      </p>
    </section>
  );
}
