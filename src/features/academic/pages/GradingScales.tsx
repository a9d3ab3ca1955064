import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { ListRows } from '#kit/browser/list/ListTable.tsx';
import { AskDialog } from '#kit/browser/ui/AskDialog.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Chip } from '#kit/browser/ui/Chip.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { HistoryDialog } from '#kit/browser/ui/HistoryDialog.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { bandWords, type GradingScale, gradingScaleApi } from '../contract/grading-scale.ts';
import { GradingScaleForm } from './GradingScaleForm.tsx';
import styles from './GradingScales.module.css';

type Open = { what: 'add' } | { what: 'change' | 'history' | 'remove'; scale: GradingScale };

export function GradingScales() {
  const { t } = useLingui();
  const scales = useRead(gradingScaleApi.list, {});
  const [open, setOpen] = useState<Open>();
  const onClose = () => setOpen(undefined);
  return (
    <>
      <div className="list-head">
        <p className="soft">
          <Trans>Percentage ranges for each grade.</Trans>
        </p>
        <div className="list-buttons">
          <Button kind="main" className="list-add" onClick={() => setOpen({ what: 'add' })}>
            <IconPlus size={16} aria-hidden /> <Trans>Add grading scale</Trans>
          </Button>
        </div>
      </div>
      <QueryBoundary query={scales}>
        {({ rows }) =>
          rows.length === 0 ? (
            <EmptyState message={<Trans>No grading scales yet.</Trans>}>
              <p>
                <Trans>Add a grading scale to convert marks into grades.</Trans>
              </p>
            </EmptyState>
          ) : (
            <>
              <ListRows
                className={styles.scales}
                caption={<Trans>Grading scales</Trans>}
                heads={[t`Name`, t`Grades, percentages (points)`]}
                rows={rows.map((scale) => ({
                  key: scale.id,
                  cells: [
                    <Name key="name" scale={scale} onOpen={() => setOpen({ what: 'change', scale })} />,
                    scale.bands.map((band, place) => (
                      <span key={band.min}>
                        <span className={styles.band}>
                          {bandWords(band)}
                          {place < scale.bands.length - 1 && ','}
                        </span>{' '}
                      </span>
                    )),
                  ],
                  actions: (
                    <>
                      <Button
                        kind="quiet"
                        aria-label={t`History of ${scale.name}`}
                        onClick={() => setOpen({ what: 'history', scale })}
                      >
                        <Trans>History</Trans>
                      </Button>
                      <Button
                        kind="quiet"
                        aria-label={t`Delete ${scale.name}`}
                        onClick={() => setOpen({ what: 'remove', scale })}
                      >
                        <Trans>Delete</Trans>
                      </Button>
                    </>
                  ),
                }))}
              />
              <p className="list-foot soft" role="status">
                <Plural value={rows.length} one="# grading scale" other="# grading scales" />
              </p>
            </>
          )
        }
      </QueryBoundary>
      {open?.what === 'add' && <GradingScaleForm onClose={onClose} />}
      {open?.what === 'change' && <GradingScaleForm scale={open.scale} onClose={onClose} />}
      {open?.what === 'history' && (
        <HistoryDialog
          endpoint={gradingScaleApi.history}
          id={open.scale.id}
          displayName={open.scale.name}
          onClose={onClose}
        />
      )}
      {open?.what === 'remove' && <RemoveScale scale={open.scale} onClose={onClose} />}
    </>
  );
}

function Name({ scale: { name, isActive }, onOpen }: { scale: GradingScale; onOpen: () => void }) {
  return (
    <>
      <Button kind="link" className="list-name" onClick={onOpen}>
        {name}
      </Button>{' '}
      {!isActive && (
        <Chip>
          <Trans>Inactive</Trans>
        </Chip>
      )}
    </>
  );
}

function RemoveScale({ scale: { id, version, name }, onClose }: { scale: GradingScale; onClose: () => void }) {
  const { t } = useLingui();
  const toast = useToast();
  const remove = useAction(gradingScaleApi.remove);
  return (
    <AskDialog
      title={t`Delete ${name}`}
      confirm={<Trans>Delete</Trans>}
      isBad
      problem={remove.problem}
      onClose={onClose}
      onConfirm={async (close) => {
        if (!(await remove.run({ id, version }))) return;
        close();
        toast({ kind: 'success', title: t`Deleted.` });
      }}
    >
      <Trans>This can’t be undone. To stop using the grading scale but keep it, deactivate it instead.</Trans>
    </AskDialog>
  );
}
