import { Trans, useLingui } from '@lingui/react/macro';
import type { StaffRecord } from '#features/staff/contract/record.ts';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { CardTable } from '#kit/browser/ui/CardTable.tsx';
import { PageLink } from '#kit/browser/ui/PageLink.tsx';
import { showDate } from '#kit/contract/day.ts';
import { announcementApi } from '../contract/announcement.ts';

/** The latest announcements to a member of staff, and whether they are read and acknowledged. */
export function StaffAnnouncements({ record }: { record: StaffRecord }) {
  const { t } = useLingui();
  const sent = useRead(announcementApi.ofStaff, { staffId: record.id });
  const stateOf = ({ asks, isRead, isAcknowledged }: { asks: boolean; isRead: boolean; isAcknowledged: boolean }) =>
    isAcknowledged ? t`Acknowledged` : asks ? t`Not acknowledged` : isRead ? t`Read` : t`Not read`;
  return (
    <RecordCard title={t`Announcements`}>
      <QueryBoundary query={sent}>
        {({ rows }) =>
          rows.length === 0 ? (
            <p className="soft">
              <Trans>No announcements yet.</Trans>
            </p>
          ) : (
            <CardTable
              caption={<Trans>Announcements</Trans>}
              heads={[t`Published`, t`Announcement`, t`State`]}
              rows={rows.map((row) => ({
                key: row.id,
                cells: [
                  showDate(row.publishedOn),
                  <PageLink
                    key="title"
                    to="/school-erp/announcement/announcement-list/$announcementID"
                    params={{ announcementID: String(row.id) }}
                  >
                    {row.title}
                  </PageLink>,
                  stateOf(row),
                ],
              }))}
            />
          )
        }
      </QueryBoundary>
    </RecordCard>
  );
}
