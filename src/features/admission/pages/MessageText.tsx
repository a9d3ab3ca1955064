import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { Text } from '#kit/browser/ui/Layout.tsx';
import styles from './MessageText.module.css';

interface Props {
  /** The subject of an email; empty for a text message. */
  subject?: string;
  /** The words as the recipient reads them. */
  words: string;
  /** Stands in the place of the words where there are none, or above them. */
  children?: ReactNode;
}

/** The words of a message before it is sent. */
export function MessageText({ subject, words, children }: Props) {
  return (
    <div className={styles.message}>
      <h3>
        <Trans>Message</Trans>
      </h3>
      {children}
      {subject && (
        <Text mb={8} weight={600}>
          {subject}
        </Text>
      )}
      {words && <Text breaks="pre-line">{words}</Text>}
    </div>
  );
}
