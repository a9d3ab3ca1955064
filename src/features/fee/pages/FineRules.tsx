import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Menu } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { ListRows } from '#kit/browser/list/ListTable.tsx';
import { RowMenu } from '#kit/browser/list/RowMenu.tsx';
import { rowOpen } from '#kit/browser/list/row-open.ts';
import { useListKeys } from '#kit/browser/list/use-list-keys.ts';
import { translate } from '#kit/browser/text.ts';
import { AskDialog } from '#kit/browser/ui/AskDialog.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Chip } from '#kit/browser/ui/Chip.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { HistoryDialog } from '#kit/browser/ui/HistoryDialog.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { showDate } from '#kit/contract/day.ts';
import { showNumber } from '#kit/contract/text.ts';
import { type FineRule, fineRuleApi, termsWords } from '../contract/fine-rule.ts';
import { AddFineRule, AddTerms, RenameFineRule } from './FineRuleForm.tsx';

type Open = { what: 'add' } | { what: 'edit' | 'terms' | 'history' | 'remove' | 'removeTerms'; rule: FineRule };

/** The late fine rules, each with its terms from a day on. */
export function FineRules({ mayChange }: { mayChange: boolean }) {
  const { t } = useLingui();
  const rules = useRead(fineRuleApi.list, {});
  const [open, setOpen] = useState<Open>();
  const list = useRef<HTMLElement>(null);
  const onClose = () => setOpen(undefined);
  const add = mayChange ? () => setOpen({ what: 'add' }) : undefined;
  useListKeys(list, { onAdd: add, onHelp: () => undefined });
  const edit = (rule: FineRule) => (mayChange ? () => setOpen({ what: 'edit', rule }) : undefined);
  return (
    <section ref={list} tabIndex={-1} aria-label={t`Late fine rules`}>
      {add && (
        <div className="list-head">
          <div className="list-buttons">
            <Button kind="main" className="list-add" onClick={add}>
              <IconPlus size={16} aria-hidden /> <Trans>Add late fine rule</Trans>
            </Button>
          </div>
        </div>
      )}
      <QueryBoundary query={rules}>
        {({ rows }) =>
          rows.length === 0 ? (
            <EmptyState message={<Trans>No late fine rules yet. A fee head without one has no fine.</Trans>} />
          ) : (
            <>
              <ListRows
                caption={<Trans>Late fine rules</Trans>}
                heads={[t`Name`, t`Fine`, t`Fee heads`]}
                rows={rows.map((rule) => ({
                  key: rule.id,
                  attributes: mayChange ? rowOpen(() => setOpen({ what: 'edit', rule })) : undefined,
                  cells: [
                    <Name key="name" rule={rule} onOpen={edit(rule)} />,
                    <Terms key="terms" rule={rule} />,
                    rule.usedBy > 0 ? showNumber(rule.usedBy) : '',
                  ],
                  actions: (
                    <RowMenu name={rule.name}>
                      {(from) => (
                        <>
                          {mayChange && (
                            <>
                              <Menu.Item onClick={from(() => setOpen({ what: 'terms', rule }))}>
                                <Trans>New terms from a day…</Trans>
                              </Menu.Item>
                              {rule.versions.length > 1 && rule.versions[0]?.isFuture && (
                                <Menu.Item onClick={from(() => setOpen({ what: 'removeTerms', rule }))}>
                                  <Trans>Remove the latest terms</Trans>
                                </Menu.Item>
                              )}
                              <Menu.Item onClick={from(() => setOpen({ what: 'edit', rule }))}>
                                <Trans>Edit</Trans>
                              </Menu.Item>
                            </>
                          )}
                          <Menu.Item onClick={from(() => setOpen({ what: 'history', rule }))}>
                            <Trans>History</Trans>
                          </Menu.Item>
                          {mayChange && rule.usedBy === 0 && (
                            <Menu.Item onClick={from(() => setOpen({ what: 'remove', rule }))}>
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
                <Plural value={rows.length} one="# late fine rule" other="# late fine rules" />
              </p>
            </>
          )
        }
      </QueryBoundary>
      {open?.what === 'add' && <AddFineRule onClose={onClose} />}
      {open?.what === 'edit' && <RenameFineRule rule={open.rule} onClose={onClose} />}
      {open?.what === 'terms' && <AddTerms rule={open.rule} onClose={onClose} />}
      {open?.what === 'history' && (
        <HistoryDialog
          endpoint={fineRuleApi.history}
          id={open.rule.id}
          displayName={open.rule.name}
          onClose={onClose}
        />
      )}
      {(open?.what === 'remove' || open?.what === 'removeTerms') && (
        <Remove
          rule={open.rule}
          endpoint={open.what === 'remove' ? fineRuleApi.remove : fineRuleApi.removeTerms}
          onClose={onClose}
          onRemoved={() => list.current?.focus()}
        />
      )}
    </section>
  );
}

function Name({ rule: { id, name, isActive }, onOpen }: { rule: FineRule; onOpen: (() => void) | undefined }) {
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

/** The terms of today, those that follow, and those before. */
function Terms({ rule: { versions } }: { rule: FineRule }) {
  return versions.map((terms) => {
    const words = translate(termsWords(terms));
    const day = showDate(terms.effectiveFrom);
    return (
      <div key={terms.id} className={terms.effectiveTo ? 'soft' : undefined}>
        {versions.length > 1 ? (
          <Trans>
            From {day}: {words}
          </Trans>
        ) : (
          words
        )}
      </div>
    );
  });
}

interface RemoveProps {
  rule: FineRule;
  endpoint: typeof fineRuleApi.remove | typeof fineRuleApi.removeTerms;
  onClose: () => void;
  onRemoved: () => void;
}

function Remove({ rule: { id, version, name, versions }, endpoint, onClose, onRemoved }: RemoveProps) {
  const { t } = useLingui();
  const toast = useToast();
  const remove = useAction(endpoint);
  const isWhole = endpoint === fineRuleApi.remove;
  const day = showDate(versions[0]?.effectiveFrom ?? '');
  return (
    <AskDialog
      title={isWhole ? t`Delete ${name}` : t`Remove the terms from ${day}`}
      confirm={isWhole ? <Trans>Delete</Trans> : <Trans>Remove</Trans>}
      isBad
      problem={remove.problem}
      onClose={onClose}
      onConfirm={async (close) => {
        if (!(await remove.run({ id, version }))) return;
        close();
        onRemoved();
        toast({ kind: 'success', title: isWhole ? t`Deleted.` : t`Saved.` });
      }}
    >
      {isWhole ? <Trans>This can’t be undone.</Trans> : <Trans>The terms before go on.</Trans>}
    </AskDialog>
  );
}
