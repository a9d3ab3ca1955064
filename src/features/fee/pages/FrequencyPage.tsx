import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Menu } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useWorkingYear } from '#features/calendar/ui/use-working-year.ts';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { useAction } from '#kit/browser/data/action.ts';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { ListRows } from '#kit/browser/list/ListTable.tsx';
import { RowMenu } from '#kit/browser/list/RowMenu.tsx';
import { rowOpen } from '#kit/browser/list/row-open.ts';
import { ShortcutsDialog } from '#kit/browser/list/ShortcutsDialog.tsx';
import { useListKeys } from '#kit/browser/list/use-list-keys.ts';
import { translate, translateOption } from '#kit/browser/text.ts';
import { AskDialog } from '#kit/browser/ui/AskDialog.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Chip } from '#kit/browser/ui/Chip.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { HistoryDialog } from '#kit/browser/ui/HistoryDialog.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { showNumber } from '#kit/contract/text.ts';
import { type Frequency, type FrequencyKind, frequencyApi } from '../contract/frequency.ts';
import { feePages } from '../contract/pages.ts';
import { AddFrequency, EditFrequency } from './FrequencyForm.tsx';
import { dueDaysWords } from './month-words.ts';

type Open =
  | { what: 'add'; like?: Frequency; kind?: FrequencyKind }
  | { what: 'keys' }
  | { what: 'edit' | 'history' | 'remove'; frequency: Frequency };

const presets = ['Monthly', 'Quarterly', 'Annual'] as const;

/** /school-erp/fee/frequency-of-payment: when fees are due in a year. */
export function FrequencyPage() {
  const { t } = useLingui();
  const frequencies = useRead(frequencyApi.list, {});
  const year = useWorkingYear();
  const mayChange = useMay(frequencyApi.create);
  const [open, setOpen] = useState<Open>();
  const list = useRef<HTMLElement>(null);
  const onClose = () => setOpen(undefined);
  const add = mayChange ? () => setOpen({ what: 'add' }) : undefined;
  useListKeys(list, { onAdd: add, onHelp: () => setOpen({ what: 'keys' }) });
  const edit = (frequency: Frequency) => (mayChange ? () => setOpen({ what: 'edit', frequency }) : undefined);
  return (
    <section ref={list} tabIndex={-1} aria-label={translate(feePages[0].title)}>
      <PageHead title={translate(feePages[0].title)}>
        {add && (
          <Button kind="main" onClick={add}>
            <IconPlus size={16} aria-hidden /> <Trans>Add frequency</Trans>
          </Button>
        )}
      </PageHead>
      <QueryBoundary query={frequencies}>
        {({ rows }) =>
          rows.length === 0 ? (
            <EmptyState message={<Trans>No frequencies yet. Start with a usual one.</Trans>}>
              {mayChange &&
                presets.map((kind) => (
                  <Button key={kind} onClick={() => setOpen({ what: 'add', kind })}>
                    {translateOption(kind)}
                  </Button>
                ))}
            </EmptyState>
          ) : (
            <>
              <ListRows
                caption={translate(feePages[0].title)}
                heads={[t`Name`, t`Frequency`, year ? t`Due in ${year.name}` : t`Due`, t`Fee heads`]}
                rows={rows.map((frequency) => ({
                  key: frequency.id,
                  attributes: mayChange ? rowOpen(() => setOpen({ what: 'edit', frequency })) : undefined,
                  cells: [
                    <Name key="name" frequency={frequency} onOpen={edit(frequency)} />,
                    translateOption(frequency.kind),
                    year ? dueDaysWords(year, frequency.rows) : '',
                    frequency.usedBy > 0 ? showNumber(frequency.usedBy) : '',
                  ],
                  actions: (
                    <RowMenu name={frequency.name}>
                      {(from) => (
                        <>
                          {mayChange && (
                            <>
                              <Menu.Item onClick={from(() => setOpen({ what: 'edit', frequency }))}>
                                <Trans>Edit</Trans>
                              </Menu.Item>
                              <Menu.Item onClick={from(() => setOpen({ what: 'add', like: frequency }))}>
                                <Trans>Duplicate</Trans>
                              </Menu.Item>
                            </>
                          )}
                          <Menu.Item onClick={from(() => setOpen({ what: 'history', frequency }))}>
                            <Trans>History</Trans>
                          </Menu.Item>
                          {mayChange && frequency.usedBy === 0 && (
                            <Menu.Item onClick={from(() => setOpen({ what: 'remove', frequency }))}>
                              <Trans>Delete</Trans>
                            </Menu.Item>
                          )}
                        </>
                      )}
                    </RowMenu>
                  ),
                }))}
              />
              <p className="list-foot soft" role="status">
                <Plural value={rows.length} one="# frequency" other="# frequencies" />
              </p>
            </>
          )
        }
      </QueryBoundary>
      {open?.what === 'keys' && <ShortcutsDialog add={add && t`Add frequency`} onClose={onClose} />}
      {open?.what === 'add' && <AddFrequency like={open.like} kind={open.kind} onClose={onClose} />}
      {open?.what === 'edit' && <EditFrequency frequency={open.frequency} onClose={onClose} />}
      {open?.what === 'history' && (
        <HistoryDialog
          endpoint={frequencyApi.history}
          id={open.frequency.id}
          displayName={open.frequency.name}
          onClose={onClose}
        />
      )}
      {open?.what === 'remove' && (
        <RemoveFrequency frequency={open.frequency} onClose={onClose} onRemoved={() => list.current?.focus()} />
      )}
    </section>
  );
}

function Name({
  frequency: { id, name, isActive },
  onOpen,
}: {
  frequency: Frequency;
  onOpen: (() => void) | undefined;
}) {
  return (
    <>
      {onOpen ? (
        <Button kind="link" className="list-name" data-row-name={id} onClick={onOpen}>
          {name}
        </Button>
      ) : (
        <strong>{name}</strong>
      )}{' '}
      {!isActive && (
        <Chip>
          <Trans>Inactive</Trans>
        </Chip>
      )}
    </>
  );
}

interface RemoveProps {
  frequency: Frequency;
  onClose: () => void;
  onRemoved: () => void;
}

function RemoveFrequency({ frequency: { id, version, name }, onClose, onRemoved }: RemoveProps) {
  const { t } = useLingui();
  const toast = useToast();
  const remove = useAction(frequencyApi.remove);
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
