import { Plural, Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
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
  const preview = useRead(announcementApi.preview, { id: String(id) });
  return (
    <QueryBoundary query={preview}>
      {(found) =>
        found.length === 0 ? (
          <EmptyState message={<Trans>It is for no family.</Trans>} />
        ) : (
          found.map((each) => <InLanguage key={each.language} message={each} />)
        )
      }
    </QueryBoundary>
  );
}

function InLanguage({ message }: { message: OutputOf<typeof announcementApi.preview>[number] }) {
  const { language, subject, email, sms, parts, isSmsEnglish } = message;
  return (
    <section>
      <h3 lang={language}>{languages[language].name}</h3>
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
