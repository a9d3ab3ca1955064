import type { ReactNode } from 'react';
import { Initials } from './Initials.tsx';
import { List, Row } from './Layout.tsx';
import { ServedLink } from './PageLink.tsx';
import styles from './PersonRow.module.css';
import { PhoneLink } from './PhoneLink.tsx';
import { Reach } from './Reach.tsx';

/** People under each other, each in one row. */
export const PersonRows = ({ children }: { children: ReactNode }) => <List>{children}</List>;

interface Props {
  name: string;
  picture?: string;
  /** The address of their page. */
  to?: string;
  /** What they are to the child, such as "father". */
  relation?: ReactNode;
  /** What else is to be known, in the place of a number. */
  detail?: ReactNode;
  /** Ten digits, as stored. */
  mobile?: string;
}

/** A person in one row, on a phone in two lines: face, name, relation, number, and ways to reach them. */
export const PersonRow = ({ name, picture, to, relation, detail, mobile = '' }: Props) => (
  <Row as="li" gap="0 12" align="center" className={styles.row}>
    <Initials name={name} picture={picture} />
    <div className={styles.words}>
      <p className={styles.name}>
        {to ? (
          <ServedLink className="quiet-link" to={to}>
            {name}
          </ServedLink>
        ) : (
          <strong>{name}</strong>
        )}{' '}
        <span className="soft">{relation}</span>
      </p>
      <PhoneLink mobile={mobile} />
      {detail && <span className={styles.detail}>{detail}</span>}
    </div>
    <Reach name={name} mobile={mobile} />
  </Row>
);
