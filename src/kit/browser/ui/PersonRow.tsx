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
  /** Beside the name: what a caller must know first. */
  chips?: ReactNode;
  /** Further lines below. */
  about?: ReactNode;
  /** A menu at the end of the row. */
  acts?: ReactNode;
  /** False where a call reaches no one. */
  isReached?: boolean;
  /** Ten digits, as stored. */
  mobile?: string;
}

/** A person in one row, on a phone in two lines: face, name, relation, number, and ways to reach them. */
export const PersonRow = ({
  name,
  picture,
  to,
  relation,
  detail,
  chips,
  about,
  acts,
  isReached = true,
  mobile = '',
}: Props) => (
  <Row as="li" gap="0 12" align="center" wrap className={styles.row}>
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
        <span className="soft">{relation}</span> {chips}
      </p>
      <PhoneLink mobile={mobile} />
      {detail && <span className={styles.detail}>{detail}</span>}
    </div>
    {isReached && <Reach name={name} mobile={mobile} />}
    {acts}
    {about && <div className={styles.about}>{about}</div>}
  </Row>
);
