import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { RunDialog } from '#features/run/ui/RunDialog.tsx';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { translate } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { CardTable } from '#kit/browser/ui/CardTable.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { showMoment } from '#kit/browser/ui/show.ts';
import { planApi } from '../contract/plan.ts';

/** The latest runs that made or changed fee plans. */
export function PlanRuns() {
  const { t } = useLingui();
  const runs = useRead(planApi.runs, {});
  const [open, setOpen] = useState<{ id: number; title: string }>();
  return (
    <QueryBoundary query={runs}>
      {({ rows }) =>
        rows.length === 0 ? (
          <EmptyState message={<Trans>No runs yet. Select students in Fee plans to make theirs.</Trans>} />
        ) : (
          <>
            <CardTable
              caption={<Trans>Runs</Trans>}
              heads={[t`Started`, t`Act`, t`By`, t`Done`, t`Skipped`, t`Failed`]}
              rows={rows.map((row) => {
                const title = translate(row.title);
                return {
                  key: row.id,
                  cells: [
                    showMoment(row.startedAt),
                    title,
                    row.actor,
                    row.isFinished ? String(row.done) : t`${row.done} of ${row.total}`,
                    String(row.skipped),
                    String(row.failed),
                  ],
                  actions: row.isOwn && (
                    <Button onClick={() => setOpen({ id: row.id, title })}>
                      <Trans>Show</Trans>
                    </Button>
                  ),
                };
              })}
            />
            {open && <RunDialog {...open} onClose={() => setOpen(undefined)} />}
          </>
        )
      }
    </QueryBoundary>
  );
}
