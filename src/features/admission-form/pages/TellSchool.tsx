import { Trans } from '@lingui/react/macro';
import { Suspense, useState } from 'react';
import { translate } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import type { Text } from '#kit/contract/text.ts';
import type { MessageHeading } from '../contract/message.ts';
import { lazyPart } from './lazy-part.ts';
import styles from './TellSchool.module.css';

// Few have something to tell: the dialog is fetched once it is asked for.
const TellSchoolDialog = lazyPart(async () => (await import('./TellSchoolDialog.tsx')).TellSchoolDialog);

/** "Something wrong here?" beside values that a parent cannot change. */
export function TellSchool({ about }: { about: MessageHeading }) {
  const [isOpen, setOpen] = useState(false);
  const [answer, setAnswer] = useState<Text>();
  return (
    <>
      <Button kind="quiet" edge="start" className={styles.button} onClick={() => setOpen(true)}>
        <Trans>Something wrong here? Tell the school</Trans>
      </Button>
      <p role="status" className={styles.answer}>
        {answer && translate(answer)}
      </p>
      {isOpen && (
        <Suspense>
          <TellSchoolDialog about={about} onAnswer={setAnswer} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
