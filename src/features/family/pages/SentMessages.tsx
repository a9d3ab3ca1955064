import { Trans, useLingui } from '@lingui/react/macro';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { ListRows } from '#kit/browser/list/ListTable.tsx';
import { translate, translateOption } from '#kit/browser/text.ts';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { showMoment } from '#kit/browser/ui/show.ts';
import { sentApi } from '../contract/sent.ts';

interface Props {
  id: number;
  name: string;
  onClose: () => void;
}

/** The latest messages to a guardian, and whether they arrived. */
export function SentMessages({ id, name, onClose }: Props) {
  const { t } = useLingui();
  const sent = useRead(sentApi.list, { id });
  return (
    <SideDialog title={t`Messages to ${name}`} onClose={onClose}>
      {() => (
        <QueryBoundary query={sent}>
          {({ rows }) =>
            rows.length === 0 ? (
              <EmptyState message={<Trans>No message yet.</Trans>} />
            ) : (
              <ListRows
                caption={t`Messages to ${name}`}
                heads={[t`Time`, t`Sent`, t`By`, t`State`]}
                rows={rows.map((row) => ({
                  key: row.id,
                  cells: [
                    showMoment(row.at),
                    translate(row.when),
                    translateOption(row.channel),
                    row.reason ? `${translateOption(row.state)}: ${row.reason}` : translateOption(row.state),
                  ],
                }))}
              />
            )
          }
        </QueryBoundary>
      )}
    </SideDialog>
  );
}
