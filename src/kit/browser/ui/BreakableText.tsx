import styles from './BreakableText.module.css';

/** An email address or a dotted name that breaks only before an @ or after a dot, unless a part alone is wider than its place. */
export const BreakableText = ({ text }: { text: string }) =>
  text.split(/(?<=\S)(?=@)|(?<=\.)(?=\S)/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text stay where they are.
    <span key={index} className={styles.part}>
      {part}
    </span>
  ));
