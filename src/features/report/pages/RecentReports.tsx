import { Trans } from '@lingui/react/macro';
import { useRecentPeople } from '#features/search/ui/recent-people.ts';
import { signInApi } from '#features/sign-in/contract/sign-in.ts';
import { useRead } from '#kit/browser/data/read.ts';
import { Row } from '#kit/browser/ui/Layout.tsx';
import { ServedLink } from '#kit/browser/ui/PageLink.tsx';
import styles from './report.module.css';

type Kind = 'student' | 'staff';

const recentReports = { name: 'recent-reports', most: 20 };
/** Of one kind. */
const most = 10;

/** The people whose reports the user read last on this device, and a function that adds one. */
export function useRecentReports() {
  const { data: me } = useRead(signInApi.me, {});
  return useRecentPeople(me?.userID ?? 0, recentReports);
}

/** Links to the reports that were read last. */
export function RecentReports({ kind }: { kind: Kind }) {
  const { recent } = useRecentReports();
  const own = recent.filter((person) => person.kind === kind).slice(0, most);
  if (own.length === 0) return null;
  return (
    <Row as="nav" gap="4 16" wrap className={styles.recent}>
      <span className="soft">
        <Trans>Recent:</Trans>
      </span>
      {own.map(({ id, title, to }) => (
        <ServedLink key={id} to={`/school-erp/${to}`}>
          {title}
        </ServedLink>
      ))}
    </Row>
  );
}
