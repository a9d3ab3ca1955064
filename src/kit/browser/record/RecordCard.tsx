import { type ReactNode, type Ref, useId } from 'react';
import { Grid, Row } from '#kit/browser/ui/Layout.tsx';
import { VisuallyHidden } from '#kit/browser/ui/VisuallyHidden.tsx';
import styles from './RecordCard.module.css';

interface Props {
  title: ReactNode;
  /** The label of its only field says the same. */
  isTitleHidden?: boolean;
  /** A button or two beside the title. */
  actions?: ReactNode;
  /** As wide as the page, for a table or many facts. */
  isWide?: boolean;
  /** For a card that takes the focus when the pressed button is gone with its row. */
  ref?: Ref<HTMLElement>;
  children: ReactNode;
}

/** A part of a record's page under a heading. What it reads stands in a `QueryBoundary` of its own. */
export function RecordCard({ title, isTitleHidden, actions, isWide, ref, children }: Props) {
  const id = useId();
  return (
    <section
      ref={ref}
      className={styles.card}
      data-wide={isWide || undefined}
      aria-labelledby={id}
      tabIndex={ref ? -1 : undefined}
    >
      {isTitleHidden ? (
        <VisuallyHidden as="h2" id={id}>
          {title}
        </VisuallyHidden>
      ) : (
        <Row gap="0 16" align="center" wrap className={styles.head}>
          <h2 id={id}>{title}</h2>
          {actions}
        </Row>
      )}
      {children}
    </section>
  );
}

/** The buttons of a card, below what it says. */
export const CardButtons = ({ children }: { children: ReactNode }) => (
  <Row gap={8} align="center" wrap className={styles.buttons}>
    {children}
  </Row>
);

/** Cards beside each other where there is room, each row as high as its higher one. */
export const Cards = ({ children }: { children: ReactNode }) => (
  <Grid columns={1} gap={24} align="start" className={styles.cards}>
    {children}
  </Grid>
);
