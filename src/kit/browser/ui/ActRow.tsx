import type { ReactNode } from 'react';
import styles from './ActRow.module.css';
import { List, Row, Stack } from './Layout.tsx';
import { ServedLink } from './PageLink.tsx';
import { Overdue } from './Status.tsx';

/** Rows of what there is to do, or of what was done, under each other. */
export const ActRows = ({ children }: { children: ReactNode }) => <List>{children}</List>;

interface Props {
  icon?: ReactNode;
  /** The name of whom or what it is about. */
  title: ReactNode;
  /** The address of its page. */
  to?: string;
  /** A word or two beside the name, such as the grade. */
  about?: ReactNode;
  /** How late it is. */
  late?: ReactNode;
  /** A second line of what there is to know. */
  detail?: ReactNode;
  /** The whole of that line, which is cut where it does not fit. */
  detailTitle?: string;
  /** One or two buttons. */
  children?: ReactNode;
}

/** A row with an icon, a name, a line of detail, and what can be done with it at its end. */
export const ActRow = ({ icon, title, to, about, late, detail, detailTitle, children }: Props) => (
  <Row as="li" gap={12} align="center" line="hair-above" className={styles.row} data-act-row>
    {icon && (
      <Stack as="span" centre tone="soft" className={styles.icon}>
        {icon}
      </Stack>
    )}
    <div className={styles.words}>
      <p>
        {to ? (
          <ServedLink className={`quiet-link ${styles.title}`} to={to}>
            {title}
          </ServedLink>
        ) : (
          <strong>{title}</strong>
        )}
        {about && <span className="soft"> {about}</span>}
        {late && (
          <>
            <span className="soft"> · </span>
            <Overdue isSaid>{late}</Overdue>
          </>
        )}
      </p>
      {detail && (
        <p className={styles.detail} title={detailTitle}>
          {detail}
        </p>
      )}
    </div>
    {children && (
      <Row gap={4} align="center" wrap className={styles.acts} data-acts>
        {children}
      </Row>
    )}
  </Row>
);

/** Moves the focus to the row after the one with this element, which is about to go; else to the one before. */
export function focusNextActRow(element: Element) {
  const row = element.closest('[data-act-row]');
  const rows = [...(row?.closest('section')?.querySelectorAll('[data-act-row]') ?? [])];
  const place = row ? rows.indexOf(row) : -1;
  const next = rows[place + 1] ?? rows[place - 1];
  next?.querySelector<HTMLElement>('a, button')?.focus();
}
