import { Plural } from '@lingui/react/macro';
import { translate } from '#kit/browser/text.ts';
import type { Text } from '#kit/contract/text.ts';
import styles from './LeftOut.module.css';

/** The entries that are not copied to another year, with the reasons. */
export function LeftOut({ left }: { left: { what: string; why: Text }[] }) {
  if (left.length === 0) return null;
  return (
    <details className={styles.left}>
      <summary>
        <Plural value={left.length} one="# entry not copied" other="# entries not copied" />
      </summary>
      <ul>
        {left.map(({ what, why }) => (
          <li key={what}>
            {what}. <span className="soft">{translate(why)}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
