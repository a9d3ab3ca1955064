import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { translate } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import type { Text } from '#kit/contract/text.ts';
import { sendLinkApi } from '../contract/send-link.ts';
import styles from './ComeBackLater.module.css';

/**
 * Sends the same link again to the family's own contacts. The draft is already saved, since the field has lost the
 * focus.
 */
export function ComeBackLater() {
  const [words, setWords] = useState<Text>();
  const { run, isBusy } = useAction(sendLinkApi.sendLink, { onRefused: ({ text }) => setWords(text) });
  const send = async () => {
    const answer = await run({});
    if (answer?.text) setWords(answer.text);
  };
  return (
    <div className={styles.later}>
      <Button kind="quiet" edge="start" isBusy={isBusy} onClick={send}>
        <Trans>Save and come back later</Trans>
      </Button>
      <p role="status">{words && translate(words)}</p>
    </div>
  );
}
