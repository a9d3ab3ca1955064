import { translate } from '#kit/browser/text.ts';
import type { Text } from '#kit/contract/text.ts';
import styles from './TextLines.module.css';

/** The lines of a preview; nothing without any. */
export function TextLines({ lines }: { lines: readonly Text[] }) {
  if (lines.length === 0) return null;
  return (
    <ul className={styles.lines}>
      {[...new Set(lines.map(translate))].map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}
