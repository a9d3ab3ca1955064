import { Trans } from '@lingui/react/macro';
import { lazy, Suspense, useState } from 'react';
import { withWords } from '#kit/browser/language.tsx';
import { translate } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import type { MessageHeading } from '../contract/message.ts';
import styles from './TellSchool.module.css';

// Few have something to tell: the dialog is fetched once it is asked for.
const TellSchoolDialog = lazy(async () => ({
  default: (await withWords(import('./TellSchoolDialog.tsx'))).TellSchoolDialog,
}));

/** "Something wrong here?" beside values that a parent cannot change. */
export function TellSchool({ about }: { about: MessageHeading }) {
  const [isOpen, setOpen] = useState(false);
  const [answer, setAnswer] = useState('');
  return (
    <>
      <Button kind="quiet" edge="start" className={styles.button} onClick={() => setOpen(true)}>
        <Trans>Something wrong here? Tell the school</Trans>
      </Button>
      <p role="status" className={styles.answer}>
        {answer}
      </p>
      {isOpen && (
        <Suspense>
          <TellSchoolDialog
            about={about}
            onAnswer={(text) => setAnswer(text ? translate(text) : '')}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  );
}
