import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Menu } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { ListRows } from '#kit/browser/list/ListTable.tsx';
import { RowMenu } from '#kit/browser/list/RowMenu.tsx';
import { rowBeside } from '#kit/browser/list/row-names.ts';
import { rowOpen } from '#kit/browser/list/row-open.ts';
import { ShortcutsDialog } from '#kit/browser/list/ShortcutsDialog.tsx';
import { useListKeys } from '#kit/browser/list/use-list-keys.ts';
import { AskDialog } from '#kit/browser/ui/AskDialog.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Chip } from '#kit/browser/ui/Chip.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { HistoryDialog } from '#kit/browser/ui/HistoryDialog.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { bandWords, type GradingScale, gradingScaleApi } from '../contract/grading-scale.ts';
import { AddGradingScale, EditGradingScale } from './GradingScaleForm.tsx';
import styles from './GradingScales.module.css';

type Open = { what: 'add' | 'keys' } | { what: 'change' | 'history' | 'remove'; scale: GradingScale };

export function GradingScales() {
  const { t } = useLingui();
  const scales = useRead(gradingScaleApi.list, {});
  const [open, setOpen] = useState<Open>();
  const onClose = () => setOpen(undefined);
  const list = useRef<HTMLElement>(null);
  useListKeys(list, { onAdd: () => setOpen({ what: 'add' }), onHelp: () => setOpen({ what: 'keys' }) });
  /** Gets the focus when the scale that is to be deleted is gone. */
  const beside = useRef<HTMLElement>(undefined);
  return (
    <section ref={list} tabIndex={-1} aria-label={t`Grading scales`}>
      <div className="list-head">
        <div className="list-buttons">
          <Button kind="main" className="list-add" onClick={() => setOpen({ what: 'add' })}>
            <IconPlus size={16} aria-hidden /> <Trans>Add grading scale</Trans>
          </Button>
        </div>
      </div>
      <QueryBoundary query={scales}>
        {({ rows }) =>
          rows.length === 0 ? (
            <EmptyState message={<Trans>Add a grading scale to convert marks into grades.</Trans>} />
          ) : (
            <>
              <ListRows
                caption={<Trans>Grading scales</Trans>}
                heads={[t`Name`, t`Grades, percentages (points)`]}
                rows={rows.map((scale) => ({
                  key: scale.id,
                  attributes: rowOpen(() => setOpen({ what: 'change', scale })),
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
                    <RowMenu name={scale.name}>
                      {(from) => (
                        <>
                          <Menu.Item onClick={from(() => setOpen({ what: 'change', scale }))}>
                            <Trans>Edit</Trans>
                          </Menu.Item>
                          <Menu.Item onClick={from(() => setOpen({ what: 'history', scale }))}>
                            <Trans>History</Trans>
                          </Menu.Item>
                          <Menu.Item
                            onClick={from(() => {
                              beside.current = rowBeside(list.current, scale.id);
                              setOpen({ what: 'remove', scale });
                            })}
                          >
                            <Trans>Delete</Trans>
                          </Menu.Item>
                        </>
                      )}
                    </RowMenu>
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
      {open?.what === 'keys' && <ShortcutsDialog add={t`Add grading scale`} onClose={onClose} />}
      {open?.what === 'add' && <AddGradingScale onClose={onClose} />}
      {open?.what === 'change' && <EditGradingScale scale={open.scale} onClose={onClose} />}
      {open?.what === 'history' && (
        <HistoryDialog
          endpoint={gradingScaleApi.history}
          id={open.scale.id}
          displayName={open.scale.name}
          onClose={onClose}
        />
      )}
      {open?.what === 'remove' && (
        <RemoveScale
          scale={open.scale}
          onClose={onClose}
          onRemoved={() => (beside.current?.isConnected ? beside.current : list.current)?.focus()}
        />
      )}
    </section>
  );
}

function Name({ scale: { id, name, isActive }, onOpen }: { scale: GradingScale; onOpen: () => void }) {
  return (
    <>
      <Button kind="link" className="list-name" data-row-name={id} onClick={onOpen}>
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

interface RemoveProps {
  scale: GradingScale;
  onClose: () => void;
  onRemoved: () => void;
}

function RemoveScale({ scale: { id, version, name }, onClose, onRemoved }: RemoveProps) {
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
        onRemoved();
        toast({ kind: 'success', title: t`Deleted.` });
      }}
    >
      <Trans>This can’t be undone.</Trans>
    </AskDialog>
  );
}
