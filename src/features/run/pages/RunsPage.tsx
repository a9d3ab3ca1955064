import { Trans, useLingui } from '@lingui/react/macro';
import { useAction } from '#kit/browser/data/action.ts';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useReadWhile } from '#kit/browser/data/read.ts';
import { ListRows } from '#kit/browser/list/ListTable.tsx';
import { translate } from '#kit/browser/text.ts';
import { ConfirmButton } from '#kit/browser/ui/ConfirmButton.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { showMoment } from '#kit/browser/ui/show.ts';
import { runApi } from '../contract.ts';

/** Every run of the school, which an Admin may stop. */
export function RunsPage() {
  const { t } = useLingui();
  const runs = useReadWhile(runApi.list, {}, ({ rows }) => rows.some(({ isFinished }) => !isFinished));
  const stop = useAction(runApi.stop);
  return (
    <>
      <PageHead title={t`Runs`} />
      <QueryBoundary query={runs}>
        {({ rows }) =>
          rows.length === 0 ? (
            <EmptyState message={<Trans>Nothing was sent to many families yet.</Trans>} />
          ) : (
            <section>
              {stop.problem}
              <ListRows
                caption={<Trans>Runs</Trans>}
                heads={[t`Run`, t`Started by`, t`Started`, t`Progress`]}
                rows={rows.map(({ id, title, actor, startedAt, total, left, isFinished }) => {
                  const name = translate(title);
                  const ended = total - left;
                  return {
                    key: id,
                    cells: [name, actor, showMoment(startedAt), isFinished ? t`Finished` : t`${ended} of ${total}`],
                    actions: !isFinished && (
                      <ConfirmButton
                        name={t`Stop “${name}” of ${actor}`}
                        label={<Trans>Stop</Trans>}
                        question={<Trans>The records that are left will be skipped.</Trans>}
                        confirm={<Trans>Stop</Trans>}
                        onConfirm={() => void stop.run({ id })}
                      />
                    ),
                  };
                })}
              />
            </section>
          )
        }
      </QueryBoundary>
    </>
  );
}
