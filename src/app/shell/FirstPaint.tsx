import { IconHome, IconMenu2 } from '@tabler/icons-react';
import { configuration } from '#features/school/ui/configuration.ts';
import { classNames } from '#kit/browser/ui/class-names.ts';
import styles from './Shell.module.css';
import './shell.css';

/**
 * The frame of the shell: the server puts it into the HTML, and the page replaces it. It has no personal data and no
 * controls, and screen readers skip it.
 */
export function FirstPaint({ title }: { title: string }) {
  const { schoolName, logoPath } = configuration();
  return (
    <div aria-hidden>
      <div className="shell-head">
        <span className={classNames(styles.burger, styles.sign)}>
          <IconMenu2 size={20} />
        </span>
        <span className={styles.home}>
          {logoPath ? <img src={logoPath} alt="" width={28} height={28} /> : <IconHome size={20} />}
          <span>{schoolName}</span>
        </span>
      </div>
      <div className="shell-body">
        <div className="shell-menu" />
        <div className="shell-page">
          <div className="page-head">
            <p>{title}</p>
          </div>
        </div>
      </div>
    </div>
  );
}
