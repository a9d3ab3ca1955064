import { Panel, Text } from '#kit/browser/ui/Layout.tsx';
import styles from './LetterWords.module.css';

/** A letter as it is printed, without the school's head. */
export const LetterWords = ({ subject, body }: { subject: string; body: string }) => (
  <Panel mb={12} className={styles.letter}>
    <Text mb={8}>
      <strong>{subject}</strong>
    </Text>
    <Text mb={8}>{body}</Text>
  </Panel>
);
