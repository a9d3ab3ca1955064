import { type ComponentType, type ReactNode, useId } from 'react';
import styles from './DoesCard.module.css';
import { List, Row } from './Layout.tsx';

export interface DoesLine {
  key: string;
  Icon: ComponentType<{ size?: number; 'aria-hidden'?: boolean }>;
  words: ReactNode;
}

interface Props {
  /** What it is called, where no dialog or heading above it says so. */
  title?: ReactNode;
  /** What the act will do, in sentences. */
  lines: readonly DoesLine[];
  /** How long it can be undone. */
  foot?: ReactNode;
  /** The button that does it. */
  children?: ReactNode;
}

/** What an act will do, read before it is done. */
export function DoesCard({ title, lines, foot, children }: Props) {
  const id = useId();
  return (
    <section className={styles.card} aria-labelledby={title ? id : undefined}>
      {title && <h2 id={id}>{title}</h2>}
      <List>
        {lines.map(({ key, Icon, words }) => (
          <Row as="li" gap={10} py={4} breaks="anywhere" key={key}>
            <span className={styles.icon}>
              <Icon size={16} aria-hidden />
            </span>
            <div>{words}</div>
          </Row>
        ))}
      </List>
      {children}
      {foot && <p className={styles.foot}>{foot}</p>}
    </section>
  );
}
