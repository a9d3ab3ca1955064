import styles from './LetterWords.module.css';

/** A letter as it is printed, without the school's head. */
export const LetterWords = ({ subject, body }: { subject: string; body: string }) => (
  <div className={styles.letter}>
    <p>
      <strong>{subject}</strong>
    </p>
    <p>{body}</p>
  </div>
);
