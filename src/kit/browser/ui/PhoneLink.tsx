import { classNames } from './class-names.ts';
import styles from './PhoneLink.module.css';

interface Props {
  /** Ten digits, as stored; nothing is shown for none. */
  mobile: string | null | undefined;
  className?: string;
}

/** A mobile number that a phone dials, shown in two groups of five and copied without a gap. */
export const PhoneLink = ({ mobile, className }: Props) =>
  mobile ? (
    <a className={classNames(styles.link, className)} href={`tel:+91${mobile}`}>
      <span className={styles.first}>{mobile.slice(0, 5)}</span>
      {mobile.slice(5)}
    </a>
  ) : null;
