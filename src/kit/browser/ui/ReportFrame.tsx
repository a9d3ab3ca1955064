import { Fragment, type ReactNode } from 'react';
import { Chip } from './Chip.tsx';
import { Row } from './Layout.tsx';
import styles from './ReportFrame.module.css';

interface Props {
  title: string;
  /** Whose report it is: a name and an address; printed above the title. */
  of?: readonly string[];
  /** The days that it is of, in words; printed below the title. */
  period: string;
  /** What it is narrowed to, each by its label: “Class: Grade 5”. Printed, since a print has no filters. */
  chosen?: readonly string[];
  /** What it answers, in a sentence. */
  about?: ReactNode;
  /** Export, print and so on; not printed. */
  acts?: ReactNode;
  /** Another report, on a narrow page where the list of reports has no room. */
  choice?: ReactNode;
  /** Days and filters; not printed. */
  filters?: ReactNode;
  /** The rows. */
  children: ReactNode;
}

/** A report: its title and acts, days and filters, the rows, and what stands above a print of them. */
export function ReportFrame({ title, of = [], period, chosen = [], about, acts, choice, filters, children }: Props) {
  return (
    <>
      {of.length > 0 && (
        <p className="only-print">
          <strong>{of[0]}</strong>
          {of.slice(1).map((line) => (
            <Fragment key={line}>
              <br />
              {line}
            </Fragment>
          ))}
        </p>
      )}
      <Row gap="8 12" align="center" wrap>
        <h2 className={choice ? styles.chosen : styles.title}>{title}</h2>
        {choice}
        {acts && (
          <Row gap={8} ml="auto" noPrint>
            {acts}
          </Row>
        )}
      </Row>
      <p className="only-print">{[period, ...chosen].join(' · ')}</p>
      {about && <p className={`soft ${styles.about}`}>{about}</p>}
      {filters}
      {children}
    </>
  );
}

interface TieProps {
  /** Whether the total is that of the books. */
  agrees: boolean;
  children: ReactNode;
  /** How many rows there are, and the ways to other pages of them. */
  foot?: ReactNode;
}

/** The line below a report that says what its total ties with. */
export const ReportTie = ({ agrees, children, foot }: TieProps) => (
  <Row as="p" gap="8 12" align="center" wrap mt={12}>
    <Chip kind={agrees ? 'good' : 'bad'}>{children}</Chip>
    {foot}
  </Row>
);
